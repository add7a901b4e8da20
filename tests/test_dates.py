"""Dates: the order of day and month in a column, and the value of each cell."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from peneira.types import locales
from peneira.types.column_types import infer_type
from typed_columns import read

DAY = date(2024, 3, 5)
SAME_DAY = [
    "2024-03-05",
    "2024/03/05",
    "2024.03.05",
    "2024-3-5",
    "2024. 3. 5.",
    "2024.3.5.",
    "5 March 2024",
    "5th March 2024",
    "5th of March, 2024",
    "05-Mar-2024",
    "05/Mar/2024",
    "5 Mar 24",
    "5 Mar '24",
    "March 5, 2024",
    "March 5th, 2024",
    "Mar. 5, 2024",
    "Mar 05 2024",
    "MARCH 5, 2024",
    "Tuesday, March 5, 2024",
    "Tue 5 Mar 2024",
    "Tues., 5 March 2024",
    "5 March 2024, Tuesday",
    "the 5th of March 2024",
    "2024 March 5",
    "2024-Mar-05",
    "5 de março de 2024",
    "5.º de março de 2024",
    "5 de Março, 2024",
    "terça-feira, 5 de março de 2024",
    "ter., 5 mar. 2024",
    "5 de marzo de 2024",
    "5 de marzo del 2024",
    "martes, 5 de marzo de 2024",
    "marzo 5, 2024",
    "5 mars 2024",
    "le 5 mars 2024",
    "mardi 5 mars 2024",
    "mar. 5 mars 2024",
    "5. März 2024",
    "5.März 2024",
    "Dienstag, 5. März 2024",
    "Di., 5. Mär. 2024",
    "Dienstag, den 5. März 2024",
    "5 marzo 2024",
    "martedì 5 marzo 2024",
    "5 maart 2024",
    "di 5 mrt. 2024",
    "5 marca 2024",
    "5 marca 2024 r.",
    "wtorek, 5 marca 2024",
    "tisdag 5 mars 2024",
    "tirsdag 5. mars 2024",
    "5. marts 2024",
    "5 марта 2024",
    "5 марта 2024 г.",
    "вторник, 5 марта 2024",
    "5 березня 2024",
    "5. března 2024",
    "5 Mart 2024",
    "5 martie 2024",
    "5. maaliskuuta 2024",
    "2024. március 5.",
    "2024年3月5日",
    "2024年03月05日",
    "2024年3月5日(火)",
    "2024年3月5日 火曜日",
    "2024년 3월 5일",
    "２０２４年３月５日",
    "٢٠٢٤-٠٣-٠٥",
    "2024年3月5日火曜日",
    "2024年3月5日星期二",
    "2024年3月5號",
    "٥ مارس ٢٠٢٤",
    "الثلاثاء، ٥ مارس، ٢٠٢٤",
    "5 آذار 2024",
    "۵ مارس ۲۰۲۴",
    "५ मार्च २०२४",
    "৫ মার্চ, ২০২৪",
    "5 மார்ச், 2024",
    "5 מרץ 2024",
    "יום שלישי, 5 במרץ 2024",
    "5 Μαρτίου 2024",
    "5 ΜΑΡΤΙΟΥ 2024",
    "Τρίτη 5 Μαρτίου 2024",
    "5 март 2024 г.",
    "5. ožujka 2024.",
    "5. marec 2024",
    "5. märts 2024",
    "2024. gada 5. marts",
    "2024 m. kovo 5 d.",
    "5 Maret 2024",
    "Selasa, 5 Maret 2024",
    "5 Mac 2024",
    "Marso 5, 2024",
    "5 de març del 2024",
    "5 Mawrth 2024",
    "5 ta' Marzu 2024",
    "5 mart 2024, çərşənbə axşamı",
    "5-mart, 2024",
    "5 наурыз 2024",
    "5 მარტი 2024",
    "5 მარ. 2024",
    "5 tháng 3, 2024",
    "Thứ Ba, 5 tháng 3, 2024",
    "ngày 5 tháng 3 năm 2024",
    "5 มีนาคม 2567",
    "5 มี.ค. 2567",
    "วันอังคารที่ 5 มีนาคม พ.ศ. 2567",
    "5 มีนาคม 2024",
]


@pytest.mark.parametrize("text", SAME_DAY)
def test_one_day_in_many_languages(text):
    assert read([text]) == ("date", [DAY])


def test_every_month_of_a_language_is_known():
    texts = [f"1 {name} 2024" for name in "янв. февр. марта апр. мая июня июля авг. сент. окт. нояб. дек.".split()]
    assert read(texts) == ("date", [date(2024, month, 1) for month in range(1, 13)])


def test_every_name_of_a_month_is_read_on_pages_of_its_language():
    table = json.loads((Path(locales.__file__).parent / "locales.json").read_text("utf-8"))["languages"]
    assert len(table) >= 60
    read_wrong = [
        (language, name)
        for language, own in table.items()
        for month, names in enumerate(own["months"], 1)
        for name in names.split()
        if language not in ("ne",)  # whose years are those of another calendar
        and read([f"5 {name} 2024"], language=language) != ("date", [date(2024, month, 5)])
    ]
    assert read_wrong == []


@pytest.mark.parametrize(("language", "month"), [("hr", 10), ("hr-HR", 10), ("pl", 11), ("cs", 11)])
def test_a_name_of_two_months_is_read_in_the_language_of_the_page(language, month):
    assert read(["5 listopada 2024" if language != "cs" else "5. listopad 2024"], language=language) == (
        "date",
        [date(2024, month, 5)],
    )


@pytest.mark.parametrize("language", ["", "en", "xx"])
def test_a_name_of_two_months_stays_text_without_a_language(language):
    assert read(["5. listopada 2024", "6. listopada 2024"], language=language) == ("text", [None, None])


@pytest.mark.parametrize(("other", "month"), [("studenoga", 10), ("grudnia", 11)])
def test_a_name_of_two_months_is_read_in_the_language_that_has_the_others_of_the_column(other, month):
    kind, values = read(["5 listopada 2024", f"6 {other} 2024"], language="en")
    assert (kind, values[0]) == ("date", date(2024, month, 5))


def test_names_that_no_single_language_has_leave_the_name_of_two_months_unread():
    texts = ["5 listopada 2024", "6 studenoga 2024", "7 grudnia 2024", "8 May 2024"]
    assert read(texts)[1] == [None, date(2024, 11, 6), date(2024, 12, 7), date(2024, 5, 8)]


def test_short_names_of_another_language_than_that_of_the_page_are_read_only_beside_each_other():
    assert read(["12 Pro 2024", "13 Pro 2024"], language="en") == ("text", [None, None])
    assert read(["12 Pro 2024", "13 Led 2024"], language="en") == ("date", [date(2024, 12, 12), date(2024, 1, 13)])


OTHER_CALENDARS = [
    (["5 มี.ค. 67", "6 มี.ค. 67"], "th"),  # of the Buddhist era
    (["05/03/67", "31/12/67"], "th"),
    (["5/3/2567", "6/3/2567"], "th"),
    (["1403/01/15", "1403/02/20"], "fa"),  # solar Hijri
    (["03/01/15", "03/02/20"], "fa"),
    (["۱۵ فروردین ۱۴۰۳", "۲۰ اردیبهشت ۱۴۰۳"], "fa"),
    (["5 رمضان 1445", "6 رمضان 1445"], "ar"),  # lunar Hijri
    (["05/09/1445", "06/09/1445"], "ar-SA"),
    (["05/09/45", "16/09/45"], "ar-SA"),
    (["2081-03-05", "2081-03-06"], "ne"),  # of Nepal
    (["令和6年3月5日", "令和6年3月6日"], "ja"),
    (["民國113年3月5日", "民國113年3月6日"], "zh-TW"),
    (["113/03/05", "113/03/06"], "zh-TW"),
]


@pytest.mark.parametrize(("texts", "language"), OTHER_CALENDARS)
def test_years_of_other_calendars_stay_text(texts, language):
    assert read(texts, language=language) == ("text", [None, None])


def test_moments_of_programs_are_read_in_every_language():
    assert read(["2024-03-05T10:30"], language="ne") == ("datetime", [datetime(2024, 3, 5, 10, 30)])


NUMERIC = [
    (["28/03/2019", "8/04/2019"], {}, [date(2019, 3, 28), date(2019, 4, 8)]),
    (["1/29/2024", "1/08/2024"], {}, [date(2024, 1, 29), date(2024, 1, 8)]),
    (["07-02-2014", "06-30-2014"], {}, [date(2014, 7, 2), date(2014, 6, 30)]),
    (["05.03.2024", "04.03.2024"], {}, [date(2024, 3, 5), date(2024, 3, 4)]),
    (["05.03.2024 г.", "5. 3. 2024"], {}, [date(2024, 3, 5), date(2024, 3, 5)]),
    (["12/06/23", "10/30/23"], {}, [date(2023, 12, 6), date(2023, 10, 30)]),
    (["31/12/99", "01/02/00"], {}, [date(1999, 12, 31), date(2000, 2, 1)]),
    (["03/04/2024"], {"language": "pt-BR"}, [date(2024, 4, 3)]),
    (["03/04/2024"], {"language": "en-US"}, [date(2024, 3, 4)]),
    (["03/04/2024"], {"language": "en-GB"}, [date(2024, 4, 3)]),
    (["03/04/2024"], {"caption": "Date (MM/DD/YYYY)"}, [date(2024, 3, 4)]),
    (["03/04/2024"], {"caption": "Datum TT.MM.JJJJ"}, [date(2024, 4, 3)]),
    (["03/04/2024"], {"caption": "Date (jj/mm/aaaa)"}, [date(2024, 4, 3)]),
    (["24/03/05", "24/03/06"], {"language": "ja"}, [date(2024, 3, 5), date(2024, 3, 6)]),
    (["99/12/31", "98/11/30"], {}, [date(1999, 12, 31), date(1998, 11, 30)]),
    (["Tue 03/05/2024", "Wed 03/06/2024"], {}, [date(2024, 3, 5), date(2024, 3, 6)]),
    (["Di 05.03.2024", "Mi 06.03.2024"], {}, [date(2024, 3, 5), date(2024, 3, 6)]),
    (["04/04/2024"], {}, [date(2024, 4, 4)]),
]


@pytest.mark.parametrize(("texts", "hints", "values"), NUMERIC)
def test_the_order_of_day_and_month_is_decided_over_the_column(texts, hints, values):
    assert read(texts, **hints) == ("date", values)


@pytest.mark.parametrize("language", ["", "en", "en-CA", "ja", "xx"])
def test_ambiguous_dates_without_a_hint_stay_text(language):
    assert read(["03/04/2024", "05/06/2024"], language=language) == ("text", [None, None])


def test_points_that_contradict_the_language_leave_the_order_undecided():
    assert read(["03.04.2024"], language="en-US") == ("text", [None])


def test_two_digit_years_that_may_come_first_stay_text():
    texts = ["24/03/05", "24/03/16", "24/04/17", "24/05/08"]
    assert read(texts) == ("text", [None] * 4)
    assert read(texts, language="fr")[1][0] == date(2005, 3, 24)


def test_cells_that_contradict_each_other_leave_only_ambiguous_cells_unread():
    texts = ["13/02/2024", "02/14/2024", "15/02/2024", "02/16/2024", "03/04/2024"]
    assert read(texts) == (
        "date",
        [date(2024, 2, 13), date(2024, 2, 14), date(2024, 2, 15), date(2024, 2, 16), None],
    )


def zone(hours: float) -> timezone:
    return timezone(timedelta(hours=hours))


MOMENTS = [
    ("2024-03-05T10:30:00Z", datetime(2024, 3, 5, 10, 30, tzinfo=UTC)),
    ("2024-03-05T10:30:00.123+02:00", datetime(2024, 3, 5, 10, 30, 0, 123000, zone(2))),
    ("2024-03-05T10:30-03:00", datetime(2024, 3, 5, 10, 30, tzinfo=zone(-3))),
    ("2024-03-05 10:30", datetime(2024, 3, 5, 10, 30)),
    ("2024-03-05T10:30:15", datetime(2024, 3, 5, 10, 30, 15)),
    ("Tue, 05 Mar 2024 10:30:00 GMT", datetime(2024, 3, 5, 10, 30, tzinfo=UTC)),
    ("Tue, 05 Mar 2024 10:30:00 -0300", datetime(2024, 3, 5, 10, 30, tzinfo=zone(-3))),
    ("Tue, 05 Mar 2024 10:30:00 EST", datetime(2024, 3, 5, 10, 30, tzinfo=zone(-5))),
    ("Tue, 05 Mar 2024 10:30:00 -0500 (EST)", datetime(2024, 3, 5, 10, 30, tzinfo=zone(-5))),
    ("March 5, 2024 at 10:30 AM", datetime(2024, 3, 5, 10, 30)),
    ("March 5, 2024, 2:30 p.m.", datetime(2024, 3, 5, 14, 30)),
    ("Mar 5, 2024 12:05 AM", datetime(2024, 3, 5, 0, 5)),
    ("March 5, 2024 2 pm", datetime(2024, 3, 5, 14)),
    ("10:30, 5 March 2024", datetime(2024, 3, 5, 10, 30)),
    ("10:30 AM, Mar 5, 2024", datetime(2024, 3, 5, 10, 30)),
    ("5 March 2024 10:30 UTC+2", datetime(2024, 3, 5, 10, 30, tzinfo=zone(2))),
    ("5 March 2024 10:30 (CET)", datetime(2024, 3, 5, 10, 30, tzinfo=zone(1))),
    ("13/03/2024 às 14h30", datetime(2024, 3, 13, 14, 30)),
    ("13/03/2024 às 14h", datetime(2024, 3, 13, 14)),
    ("5 de março de 2024, 14:30", datetime(2024, 3, 5, 14, 30)),
    ("5 de marzo de 2024 a las 14:30", datetime(2024, 3, 5, 14, 30)),
    ("5 marca 2024, godz. 14:30", datetime(2024, 3, 5, 14, 30)),
    ("dinsdag 5 maart 2024 om 14:30 uur", datetime(2024, 3, 5, 14, 30)),
    ("5 mars 2024 à 14:30", datetime(2024, 3, 5, 14, 30)),
    ("05.03.2024, 14:30 Uhr", datetime(2024, 3, 5, 14, 30)),
    ("Dienstag, 5. März 2024 um 14:30 Uhr", datetime(2024, 3, 5, 14, 30)),
    ("5. mars 2024 kl. 14:30", datetime(2024, 3, 5, 14, 30)),
    ("5 марта 2024 г. в 14:30", datetime(2024, 3, 5, 14, 30)),
    ("2024年3月5日 15時30分", datetime(2024, 3, 5, 15, 30)),
    ("2024年3月5日(火) 午後3時", datetime(2024, 3, 5, 15)),
    ("2024年3月5日 下午3:30", datetime(2024, 3, 5, 15, 30)),
    ("2024.03.05. 오전 9:30", datetime(2024, 3, 5, 9, 30)),
    ("5. März 2024, 14.30 Uhr", datetime(2024, 3, 5, 14, 30)),
    ("2024/03/05 15:30", datetime(2024, 3, 5, 15, 30)),
    ("2024년 3월 5일 15:30", datetime(2024, 3, 5, 15, 30)),
    ("2024年3月5日午後3:30", datetime(2024, 3, 5, 15, 30)),
    ("5 Μαρτίου 2024, 3:30 μ.μ.", datetime(2024, 3, 5, 15, 30)),
    ("٥ مارس ٢٠٢٤ ٣:٣٠ م", datetime(2024, 3, 5, 15, 30)),
    ("5 मार्च 2024 3:30 अपराह्न", datetime(2024, 3, 5, 15, 30)),
    ("5 มีนาคม 2567 15:30", datetime(2024, 3, 5, 15, 30)),
]


@pytest.mark.parametrize(("text", "value"), MOMENTS)
def test_a_day_with_a_time(text, value):
    assert read([text]) == ("datetime", [value])


def test_days_with_and_without_time_in_one_column_are_days():
    texts = ["2024-03-05 10:30", "2024-03-06", "2024-03-07", "2024-03-08 09:00"]
    assert read(texts) == ("date", [date(2024, 3, day) for day in (5, 6, 7, 8)])


def test_in_a_column_of_moments_a_bare_day_is_not_midnight():
    texts = ["2024-03-05 10:30"] * 5 + ["2024-03-06"]
    assert read(texts) == ("datetime", [datetime(2024, 3, 5, 10, 30)] * 5 + [None])


NO_DATES = [
    "2 hours ago",
    "yesterday",
    "March 2024",
    "5 March",
    "11. února",
    "10–12 May 2024",
    "5 March 2024 – 7 March 2024",
    "12/20/2019 12:00 PM - 1:30 PM",
    "2024-03-05 10:00-12:00",
    "Posted 5 March 2024",
    "corrected 2019-11-19",
    "5 March 2024 a",
    "Docket 2024-03-05-A",
    "2023-CV-01234",
    "S.B. 12/2024",
    "12/2024",
    "DA-27/2019",
    "110/00426/19",
    "30/02/2024",
    "2024-13-01",
    "31 April 2024",
    "99/99/9999",
    "12.99.2024",
    "1-24-0123",
    "Room 3 May 2024 B",
    "12 Main Street 2150",
    "iPhone 12",
    "2026 WL 1746651",
    "88 Misc 3d 130(A)",
    "364, 2024",
    "C.A. No. 2025-0933-SEM",
    "19-P-1256",
    "v2024.03.05",
    "192.168.10.12",
    "24/7",
    "1/2",
    "3-2",
    "10 x 20 cm",
    "May Johnson 12",
    "March of the 5 Penguins",
    "to 5 March 2024",
    "12 Mini 2021",
    "5 undecember 2024",
    "12 Led 2021",
]


@pytest.mark.parametrize("text", NO_DATES)
def test_text_that_does_not_name_a_single_day_is_not_a_date(text):
    assert read([text] * 3, language="pt-BR") == ("text", [None] * 3)


STYLES = st.sampled_from(["%Y-%m-%d", "%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y", "%d %B %Y", "%B %d, %Y", "%d-%b-%y"])


@given(st.lists(st.dates(date(1970, 1, 1), date(2060, 1, 1)), min_size=1), STYLES)
def test_a_date_is_read_back_or_not_at_all(days, style):
    texts = [day.strftime(style) for day in days]
    inferred = infer_type(texts)
    assert all(inferred.value(text) in (day, None) for text, day in zip(texts, days, strict=True))
    if not style.startswith(("%d/", "%m/")):
        assert inferred.type == "date"
