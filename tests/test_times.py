"""Times of day and durations: which of the two a column holds, and the value of each cell."""

from __future__ import annotations

from datetime import UTC, time, timedelta

import pytest

from typed_columns import read

TIMES = [
    (["9:30 AM", "12:00 pm", "7 p.m."], {}, [time(9, 30), time(12), time(19)]),
    (["09:30", "14:00", "23:59"], {}, [time(9, 30), time(14), time(23, 59)]),
    (["14.30 Uhr", "9:00 Uhr"], {}, [time(14, 30), time(9)]),
    (["às 14:30", "às 20:00"], {}, [time(14, 30), time(20)]),
    (["14h30", "20h", "9h15"], {"language": "fr"}, [time(14, 30), time(20), time(9, 15)]),
    (["9:30", "10:15", "8:00"], {}, [time(9, 30), time(10, 15), time(8)]),
    (["3:47", "9:12"], {"caption": "Start time"}, [time(3, 47), time(9, 12)]),
    (["10:30 UTC", "11:00 UTC"], {}, [time(10, 30, tzinfo=UTC), time(11, tzinfo=UTC)]),
]


@pytest.mark.parametrize(("texts", "hints", "values"), TIMES)
def test_a_column_of_times(texts, hints, values):
    assert read(texts, **hints) == ("time", values)


def test_the_caption_time_does_not_turn_lengths_into_times_of_day():
    assert read(["7:27", "13:31"], caption="Time") == ("text", [None, None])


def minutes(*numbers: float) -> list[timedelta]:
    return [timedelta(minutes=number) for number in numbers]


DURATIONS = [
    (["1h 30m", "45m"], {}, minutes(90, 45)),
    (["PT1H30M", "PT45S", "P1DT2H"], {}, minutes(90, 0.75, 1560)),
    (["90 min", "120 min."], {}, minutes(90, 120)),
    (["1 hour 5 minutes", "2 hrs", "1 hr and 10 mins"], {}, minutes(65, 120, 70)),
    (["1,5 horas", "2 horas"], {}, minutes(90, 120)),
    (["2 Std. 15 Min.", "45 Min."], {}, minutes(135, 45)),
    (["1 h 30 min", "50 min"], {}, minutes(90, 50)),
    (["3:45", "12:07", "1:02:33"], {}, minutes(3.75, 12 + 7 / 60, 62.55)),
    (["1:30:00", "0:45:10"], {"caption": "Length"}, minutes(90, 45 + 1 / 6)),
    (["24h", "48h"], {}, minutes(1440, 2880)),
    (["2 days", "1 week"], {}, minutes(2880, 10080)),
    (["1時間30分", "45分"], {}, minutes(90, 45)),
]


@pytest.mark.parametrize(("texts", "hints", "values"), DURATIONS)
def test_a_column_of_durations(texts, hints, values):
    assert read(texts, **hints) == ("duration", values)


@pytest.mark.parametrize(
    "texts",
    [
        ["3:45", "4:02"],
        ["03:47", "04:12"],
        ["1h30", "2h15"],
        ["90 m", "100 m"],
        ["3 months", "2 years"],
        ["25:99", "77:88"],
        ["10:00-12:00", "14:00-16:00"],
        ["2-1", "0-0"],
    ],
)
def test_text_that_may_be_a_time_or_a_length_stays_text(texts):
    assert read(texts) == ("text", [None] * len(texts))
