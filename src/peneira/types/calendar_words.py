"""The names of months and weekdays, and the words around dates and times, in the languages that dates are read in.

These are English, Portuguese, Spanish, French, German, Italian, Dutch, Polish, Swedish, Norwegian, Danish, Russian,
Ukrainian, Czech, Turkish, Romanian, Finnish and Hungarian. Inflected forms are those used after a day ("5 марта"). The
point after an abbreviation is not included.
"""

from __future__ import annotations

# From January to December
_MONTHS = (
    "january jan janeiro enero ene janvier janv januar jänner jän gennaio gen januari stycznia sty styczeń января "
    "янв январь січня січ ledna led leden ocak oca ianuarie ian tammikuuta tammi január",
    "february feb fevereiro fev febrero février févr fév fevrier fevr februar feber febbraio februari lutego lut "
    "luty февраля фев февр февраль лютого лют února úno únor şubat şub februarie helmikuuta helmi február febr",
    "march mar março marco marzo mars märz mär mrz maerz maart mrt marca marzec marts марта мар март березня бер "
    "března bře březen mart martie maaliskuuta maalis március márc",
    "april apr abril abr avril avr aprile kwietnia kwi kwiecień апреля апр апрель квітня кві dubna dub duben "
    "nisan nis aprilie huhtikuuta huhti április ápr",
    "may maio mai mayo maggio mag mei maja maj мая май травня тра května kvě květen mayıs toukokuuta touko május máj",
    "june jun junho junio juin juni giugno giu czerwca cze czerwiec июня июн июнь червня чер června čvn červen "
    "haziran haz iunie iun kesäkuuta kesä június jún",
    "july jul julho julio juillet juil juli luglio lug lipca lip lipiec июля июл июль липня лип července čvc "
    "červenec temmuz tem iulie iul heinäkuuta heinä július júl",
    "august aug agosto ago août aout augustus sierpnia sie sierpień augusti августа авг август серпня сер srpna "
    "srp srpen ağustos ağu elokuuta elo augusztus",
    "september sep sept setembro set septiembre setiembre septembre settembre sett września wrz wrzesień сентября "
    "сен сент сентябрь вересня вер září zář eylül eyl septembrie syyskuuta syys szeptember szept",
    "october oct outubro out octubre octobre oktober okt ottobre ott października paź październik октября окт "
    "октябрь жовтня жов října říj říjen ekim eki octombrie lokakuuta loka október",
    "november nov novembro noviembre novembre listopada lis listopad ноября ноя нояб ноябрь листопада лис "
    "listopadu kasım kas noiembrie noi marraskuuta marras",
    "december dec dezembro dez diciembre dic décembre déc decembre dezember dicembre grudnia gru grudzień "
    "desember des декабря дек декабрь грудня гру prosince pro prosinec aralık ara decembrie joulukuuta joulu",
)

MONTHS = {name: number for number, names in enumerate(_MONTHS, 1) for name in names.split()}

# From Monday to Sunday
_WEEKDAYS = (
    "monday mon segunda-feira segunda seg lunes lun lundi montag mo lunedì maandag ma poniedziałek pon måndag mån "
    "mandag man понедельник пн pondělí po 月曜日 月 星期一 周一 월요일 월",
    "tuesday tue tues terça-feira terça ter martes mar mardi dienstag di martedì dinsdag wtorek wt tisdag tis "
    "tirsdag tir вторник вт úterý út 火曜日 火 星期二 周二 화요일 화",
    "wednesday wed quarta-feira quarta qua miércoles mié mie mercredi mer mittwoch mi mercoledì woensdag wo środa "
    "śr onsdag ons среда ср středa st 水曜日 水 星期三 周三 수요일 수",
    "thursday thu thur thurs quinta-feira quinta qui jueves jue jeudi jeu donnerstag do giovedì gio donderdag "
    "czwartek czw torsdag tors tor четверг чт čtvrtek čt 木曜日 木 星期四 周四 목요일 목",
    "friday fri sexta-feira sexta sex viernes vie vendredi ven freitag fr venerdì vrijdag vr piątek pt fredag fre "
    "пятница пт pátek pá 金曜日 金 星期五 周五 금요일 금",
    "saturday sat sábado sáb sab samedi sam samstag sa sonnabend sabato zaterdag za sobota sob lördag lör lørdag "
    "lør суббота сб so 土曜日 土 星期六 周六 토요일 토",
    "sunday sun domingo dom dimanche dim sonntag so domenica zondag zo niedziela niedz nd söndag sön søndag søn "
    "воскресенье вс neděle ne 日曜日 日 星期日 周日 星期天 일요일 일",
)

# The days that a name can mean, Monday is 0: "so" is Sunday in German and Saturday in Czech
WEEKDAYS = {
    name: frozenset(day for day, others in enumerate(_WEEKDAYS) if name in others.split())
    for names in _WEEKDAYS
    for name in names.split()
}

# Words between a date and a time, or before either
TIME_WORDS = "at às as um à a las alle kl kl. o om klo ore в kell den le el godz godz. ora".split()

# Time zones by name, in minutes east of Greenwich: those of RFC 2822 and the common European ones
ZONES = (
    dict.fromkeys(("z", "utc", "gmt", "ut", "wet"), 0)
    | {"est": -300, "edt": -240, "cst": -360, "cdt": -300, "mst": -420, "mdt": -360, "pst": -480, "pdt": -420}
    | {"west": 60, "cet": 60, "cest": 120, "mez": 60, "mesz": 120, "eet": 120, "eest": 180, "msk": 180}
)
