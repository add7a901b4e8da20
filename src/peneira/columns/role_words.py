"""Words that name the role of a column, in many languages: in headers, labels, classes and schema.org properties.

The lists hold what people call a column, not what its values look like. Words are in lower case and without accents; a
word may stand for several roles, and the model of ``peneira.columns.roles`` weighs it with everything else.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import get_args

from peneira.values import Role

ROLES: tuple[Role, ...] = get_args(Role)

_WORDS_OF_ROLE: Mapping[Role, str] = {
    "title": "title titel titre titulo titolo tytul nazev nimi rubrik otsikko overskrift baslik judul naslov cim name "
    "headline heading subject betreff asunto assunto oggetto temat topic thread tema thema product produkt producto "
    "produto prodotto produit job position stelle puesto vaga poste nome nombre nom naam navn namn jmeno nazwa caption "
    "event veranstaltung evento evenement case parties party film movie book song track game заголовок название имя "
    "наименование тема 标题 名称 題名 タイトル 件名 商品名 제목 이름 العنوان כותרת",
    "subtitle": "subtitle subheading subhead subheadline tagline untertitel sottotitulo soustitre kicker dachzeile "
    "eyebrow variant подзаголовок 副标题 サブタイトル 부제",
    "url": "url link href permalink webseite website homepage uri sameas ссылка 链接 リンク 링크",
    "image": "image img photo picture thumbnail thumb foto bild imagen imagem immagine poster cover logo avatar obrazek "
    "zdjecie kuva изображение фото 图片 画像 이미지 사진",
    "price": "price preis prix precio preco prezzo prijs cena pris hinta fiyat ar harga amount betrag kosten cost "
    "tarif tarifa valor kaufpreis miete kaltmiete warmmiete rent rental bonus budget current sale special offer final "
    "цена стоимость 价格 價格 価格 値段 金額 가격 السعر מחיר",
    "old_price": "old was strike strikethrough original regular list msrp rrp uvp statt ancien anterior antigo avant "
    "vorher before crossed previous reference listprice oldprice старая 原价 定価 정가",
    "currency": "currency pricecurrency waehrung moneda moeda devise valuta waluta валюта 货币 通貨 통화",
    "discount": "discount rabatt remise descuento desconto sconto korting znizka sleva saving savings save percent off "
    "reduction promo скидка 折扣 割引 할인",
    "date": "date datum data fecha dato paiva paivays tarih datepublished dateposted datecreated datemodified published "
    "posted created updated modified added received lodged lodgement filed filing submitted decided issued release "
    "released registered day tag veroffentlicht eingestellt publicado publie pubblicato opublikowano posttime timeago "
    "timestamp time startdate start begin beginn from uploaddate when дата опубликовано 日期 日付 掲載日 날짜 등록일 التاريخ תאריך",
    "end_date": "end ende enddate deadline closing closes closed expires expiry expiration until bis validthrough due "
    "frist einsendeschluss cierre encerramento scadenza termin 截止 締切 마감일",
    "time": "time uhrzeit hora heure ora uur godzina cas klokslett tid kello saat starttime hours время 时间 時間 시간",
    "author": "author autor auteur autore auteurs authors byline writer verfasser by creator user username poster owner "
    "artist kunstler artista redakteur journalist contributor judge judges member forfatter kirjoittaja yazar skribent "
    "director автор 作者 著者 投稿者 작성자 저자 글쓴이",
    "company": "company firma unternehmen empresa entreprise azienda bedrijf spolecnost employer arbeitgeber "
    "hiringorganization organization organisation org agency dealer seller vendor store shop haendler anbieter "
    "recruiter studio publisher verlag institution school university team client applicant компания работодатель 公司 "
    "会社 会社名 企業 회사 기업",
    "location": "location ort standort lieu lugar local localidade localidad luogo locatie miejsce misto place city stadt "
    "ville ciudad cidade citta stad miasto region area neighborhood neighbourhood hood district country land pays pais "
    "paese venue joblocation state province county suburb bairro zone where место город 地点 地点 城市 勤務地 場所 所在地 지역 위치 근무지",
    "address": "address adresse anschrift direccion endereco indirizzo adres adresa adress osoite adresi streetaddress "
    "street strasse rue calle rua via property premises site адрес 地址 住所 주소",
    "summary": "summary excerpt teaser snippet abstract lead lede intro introduction standfirst dek blurb synopsis "
    "zusammenfassung resumen resumo resume riassunto preview desc shortdesc extrait kurztext auszug aperçu краткое "
    "摘要 概要 要約 요약",
    "description": "description beschreibung descripcion descricao descrizione omschrijving opis popis beskrivelse "
    "beskrivning kuvaus aciklama details detail proposal proposed development text body content message inhalt "
    "articlebody описание 描述 説明 内容 설명 내용",
    "rating": "rating ratings stars star score bewertung note calificacion avaliacao valutazione beoordeling ocena "
    "hodnoceni aggregaterating ratingvalue grade points рейтинг оценка 评分 評価 평점",
    "reviews": "reviews review reviewcount ratingcount opinions opiniones avaliacoes avis bewertungen recensioni "
    "recensies opinie rezensionen отзывы 评论 レビュー 口コミ 리뷰",
    "category": "category kategorie categorie categoria categoria kategori kategoria genre type typ tipo section rubrik "
    "rubrique sector branch department abteilung group forum channel subject articlesection classification "
    "disposition nature jurisdiction категория жанр тип 分类 類別 カテゴリ ジャンル 분류 종류",
    "tags": "tags tag keywords keyword labels etiquetas schlagworte stichworter topics themes skills subjects genres "
    "features amenities метки теги 标签 タグ 태그",
    "availability": "availability stock instock verfugbarkeit verfugbar lieferbar disponibilidad disponibilidade dispo "
    "disponibilite lager inventory delivery lieferzeit shipping versand наличие 库存 在庫 재고",
    "brand": "brand marke marca marque merk marka make manufacturer hersteller fabricante fabricant produttore "
    "fabrikant znacka maker бренд марка производитель 品牌 ブランド メーカー 브랜드 제조사",
    "sku": "sku mpn gtin ean upc isbn asin partnumber artikelnummer artnr artikelnr modelnumber articlenumber "
    "productid артикул 型番 货号",
    "phone": "phone telephone tel telefon telefono telefone telephon mobile fax handy telefoon puhelin телефон 电话 電話 전화",
    "email": "email mail courriel correo eposta почта 邮箱 メール 이메일",
    "count": "count views replies comments answers votes likes downloads shares antworten respuestas respostas reponses "
    "kommentare comentarios commentaires hits visits followers members quantity qty anzahl cantidad quantidade cited "
    "citations posts participants просмотров ответов комментарии 数量 閲覧 回复 浏览 조회 댓글",
    "id": "id number nr no num nummer numero ref reference identifier docket application code kennung aktenzeichen "
    "chiffre referenz referencia caseno casenumber citation cve doi номер 编号 番号 번호",
    "number": "rank rang position pos place platz puesto posicao index nr ranking место 排名 順位 순위",
    "size": "size grosse taille tamano tamanho dimensione maat rozmiar velikost area wohnflache flache surface superficie "
    "sqft sqm dimensions weight gewicht peso poids floorsize размер площадь 面积 サイズ 面積 크기 면적",
    "duration": "duration dauer duree duracion duracao durata length laufzeit runtime минут длительность 时长 時間 기간",
    "salary": "salary gehalt salaire salario salario stipendio salaris wynagrodzenie plat mzda lon palkka maas lohn "
    "basesalary compensation pay wage verdienst зарплата 薪资 給与 年収 月給 급여 연봉 임금",
    "language": "language sprache langue idioma lingua taal jezyk inlanguage язык 语言 言語 언어",
    "status": "status state zustand estado stato etat stan condition phase stage decision outcome result статус 状态 状態 상태",
}
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_a-zA-Z]+")
_IDEOGRAPHS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def _normal(word: str) -> str:
    """Return a word in lower case, Latin letters without their accents."""
    decomposed = unicodedata.normalize("NFKD", word.lower())
    return unicodedata.normalize("NFC", "".join(char for char in decomposed if not unicodedata.combining(char)))


def _roles_of_words() -> dict[str, frozenset[Role]]:
    roles: dict[str, set[Role]] = {}
    for role, words in _WORDS_OF_ROLE.items():
        for word in words.split():
            roles.setdefault(_normal(word), set()).add(role)
    return {word: frozenset(those) for word, those in roles.items()}


ROLES_OF_WORD = _roles_of_words()
_UNSPACED = tuple(word for word in ROLES_OF_WORD if _IDEOGRAPHS.search(word))


@lru_cache(maxsize=4096)
def words_of(name: str) -> tuple[str, ...]:
    """Return the words of a caption, a class or a property: "datePosted" gives "date" and "posted"."""
    return tuple(map(_normal, _WORD.findall(name)))


@lru_cache(maxsize=4096)
def named_roles(name: str) -> Mapping[Role, float]:
    """Return the roles that a name stands for, with 1.0 for its last word, 0.6 for another word of it."""
    words = words_of(name)
    hits: dict[Role, float] = {}
    for position, word in enumerate(words):
        points = 1.0 if position == len(words) - 1 else 0.6
        for role in ROLES_OF_WORD.get(word, ()):
            hits[role] = max(hits.get(role, 0.0), points)
    joined = "".join(words)
    for role in ROLES_OF_WORD.get(joined, ()) if len(words) > 1 else ():
        hits[role] = 1.0
    if _IDEOGRAPHS.search(name):
        for word in _UNSPACED:
            if word in name:
                for role in ROLES_OF_WORD[word]:
                    hits[role] = 1.0
    return hits


def best_roles(names: Iterable[str]) -> dict[Role, float]:
    """Return for each role the best hit of several names."""
    best: dict[Role, float] = {}
    for name in names:
        for role, points in named_roles(name).items():
            best[role] = max(best.get(role, 0.0), points)
    return best
