"""What the properties of embedded data are called as columns, and which of them a reader wants.

The properties are those of schema.org, and the names that the state of scripts commonly has for the same things.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, get_args

from peneira.late_patterns import late_pattern
from peneira.values import Role


class PropertyName(NamedTuple):
    """The name of a column, its role if it has one, and whether a reader wants the column."""

    name: str
    role: Role | str = ""
    is_wanted: bool = False


ROLES: frozenset[str] = frozenset(get_args(Role))
# Column by property, in lower case without signs. A column of a role has the name of the role unless one is given
_COLUMNS = """
sku: sku
mpn: mpn
gtin gtin8 gtin12 gtin13 gtin14 ean ean13 upc barcode: gtin
isbn isbn10 isbn13: isbn
asin: asin
model modelnumber: model
brand brandname manufacturer marca marke marque: brand
price currentprice saleprice finalprice sellingprice lowprice startingprice offerprice unitprice: price
preis prix precio preco: price
highprice: high_price
listprice originalprice regularprice compareatprice wasprice oldprice fullprice msrp rrp strikeprice: old_price
pricecurrency currency currencycode currencyiso: currency
discount discountpercentage discountpercent: discount
availability stockstatus stock inventorystatus: availability
itemcondition condition: condition
color colour colorname: color
material: material
size: size
datepublished datepublish publishdate publisheddate publishedat pubdate publicationdate publishedon: date_published=date
dateposted postedat posteddate listedat: date_posted=date
datecreated createdat creationdate createdon: date_created=date
uploaddate: upload_date=date
datemodified modifiedat updatedat lastupdated lastmodified: date_modified=date
startdate startdatetime startsat starttime eventdate: start_date=date
date datum fecha: date
enddate enddatetime endsat validthrough expirydate expiresat closingdate deadline: end_date
releasedate: release_date=date
year: year
yearbuilt: year_built
duration runtime: duration
ratingvalue rating averagerating ratingaverage avgrating reviewrating overallrating starrating score: rating
reviewcount ratingcount numreviews reviewscount numberofreviews totalreviews reviewstotal reviews ratings: reviews
commentcount commentscount numcomments: comments
viewcount views: views
votes votecount upvotecount likes likecount: votes
author authorname byline creator writer director artist: author
publisher publishername: publisher
company companyname employer employername organization hiringorganization hiringorganizationname: company
seller sellername merchant vendor: seller
category categoryname section articlesection genre genres: category
keywords tags: tags
description shortdescription summary excerpt abstract teaser subtitle body: description
reviewbody text articlebody: text=description
location locationname joblocation venue venuename place: location
addresslocality city cityname locality town: city
addressregion state region province: region
addresscountry country countryname: country
postalcode zip zipcode postcode plz: postal_code
streetaddress address street fulladdress: address
latitude lat: latitude
longitude lng lon long: longitude
telephone phone phonenumber: phone
email: email
employmenttype jobtype contracttype: employment_type
basesalary salary salaryrange salarytext minvalue maxvalue minsalary maxsalary: salary
industry: industry
numberofrooms rooms: rooms
numberofbedrooms bedrooms beds: bedrooms
numberofbathroomstotal bathrooms baths: bathrooms
floorsize livingarea area squarefeet sqft: floor_size=size
servescuisine cuisine: cuisine
pricerange: price_range
weight: weight
inlanguage language: language
version softwareversion: version
license: license
name title headline productname displayname jobtitle heading: title
url link href permalink detailurl producturl canonicalurl weburl mainentityofpage: url
image imageurl thumbnail thumbnailurl photo picture img coverimage: image
position rank: position
"""
# Words before the last that make another thing of a property: a seller's rating, the logo's URL
_OTHER_THINGS = frozenset("breadcrumb logo parent review variant variants tracking analytics seo meta badge".split())
# Names that only say that there is a name or a value
_EMPTY_SEGMENTS = frozenset(
    "name value text label amount display displayname formatted content raw title node item attributes data fields "
    "product rendered result source current".split()
)
# Known, but of no use in a table
_UNWANTED = frozenset({"position", "language", "date_modified"})
# Where a picture has its address
_ADDRESS_KEYS = frozenset({"url", "src", "contenturl"})
# Columns with these names hold digits that are no numbers
CODES = frozenset("sku mpn gtin isbn asin model postal_code phone".split())
# Read as text only where the record has no such column of its own
OWN_COLUMNS: Mapping[str, str] = {"url": "url", "image": "image"}
_NOT_LETTERS = late_pattern(r"[^a-z0-9]+")
_WORD = late_pattern(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_MAX_NAME_CHARS = 48


def _by_property() -> dict[str, PropertyName]:
    table = {}
    for line in _COLUMNS.strip().splitlines():
        properties, _, column = line.partition(": ")
        name, _, role = column.partition("=")
        role = role or (name if name in ROLES else "")
        for key in properties.split():
            table[key] = PropertyName(name, role, is_wanted=name not in _UNWANTED)
    return table


_BY_PROPERTY = _by_property()


def property_name(path: str) -> PropertyName:
    """Return the column of a property: ``offers.price`` is ``price``, ``hiringOrganization.name`` is ``company``."""
    segments = [segment for segment in path.split(".") if segment and not segment.startswith("@")]
    keys = [_NOT_LETTERS.sub("", segment.lower()) for segment in segments]
    if not keys:
        return PropertyName("")
    last = len(keys) - 1
    while last > 0 and keys[last] in _EMPTY_SEGMENTS and keys[last - 1] not in _EMPTY_SEGMENTS:
        last -= 1
    if last and keys[last] in _ADDRESS_KEYS and _is_image(keys[last - 1]):
        last -= 1
    known = _BY_PROPERTY.get(keys[last])
    is_other = any(key in _OTHER_THINGS for key in keys[:last])
    if known and not is_other and not _is_name_of_other(keys, last):
        return known
    words = [word.lower() for segment in segments[max(last - 1, 0) : last + 1] for word in _WORD.findall(segment)]
    return PropertyName("_".join(dict.fromkeys(words))[:_MAX_NAME_CHARS].strip("_"))


def _is_name_of_other(keys: list[str], last: int) -> bool:
    """Return whether a title, an address or a picture is that of something within the record."""
    known = _BY_PROPERTY[keys[last]]
    return known.name in ("title", "url", "image") and any(key not in _EMPTY_SEGMENTS for key in keys[:last])


def _is_image(key: str) -> bool:
    known = _BY_PROPERTY.get(key)
    return known is not None and known.name == "image"
