// Business days in Colombia: Monday to Friday without public holidays. Many holidays move to the next Monday (Ley 51 of 1983), and some
// depend on Easter.

import { type Day, daysAfter } from '../bogota-day.ts'

export function isBusinessDay(day: Day): boolean {
  const weekday = weekdayOf(day)
  return weekday !== SUNDAY && weekday !== SATURDAY && !holidaysOf(Number(day.slice(0, 4))).has(day)
}

// The day itself does not count.
export function businessDaysAfter(day: Day, days: number): Day {
  let reached = day
  for (let counted = 0; counted < days; ) {
    reached = daysAfter(reached, 1)
    if (isBusinessDay(reached)) counted += 1
  }
  return reached
}

const SUNDAY = 0
const SATURDAY = 6

const FIXED = ['01-01', '05-01', '07-20', '08-07', '12-08', '12-25']
const MOVED_TO_MONDAY = ['01-06', '03-19', '06-29', '08-15', '10-12', '11-01', '11-11']
// Holy Thursday and Good Friday; then Ascension, Corpus Christi and Sacred Heart, as they are kept on Mondays.
const AFTER_EASTER = [-3, -2, 43, 64, 71]

function holidaysOf(year: number): ReadonlySet<Day> {
  const easter = easterOf(year)
  return new Set([
    ...FIXED.map((date) => `${year}-${date}`),
    ...MOVED_TO_MONDAY.map((date) => nextMonday(`${year}-${date}`)),
    ...AFTER_EASTER.map((days) => daysAfter(easter, days)),
  ])
}

// The day itself if it is one.
function nextMonday(day: Day): Day {
  return daysAfter(day, (8 - weekdayOf(day)) % 7)
}

function weekdayOf(day: Day): number {
  return new Date(`${day}T00:00:00.000Z`).getUTCDay()
}

// The Gregorian computus, by Meeus, Jones and Butcher.
function easterOf(year: number): Day {
  const a = year % 19
  const b = Math.floor(year / 100)
  const c = year % 100
  const d = Math.floor(b / 4)
  const e = b % 4
  const g = Math.floor((8 * b + 13) / 25)
  const h = (19 * a + b - d - g + 15) % 30
  const i = Math.floor(c / 4)
  const k = c % 4
  const l = (32 + 2 * e + 2 * i - h - k) % 7
  const m = Math.floor((a + 11 * h + 19 * l) / 433)
  const month = Math.floor((h + l - 7 * m + 90) / 25)
  const date = (h + l - 7 * m + 33 * month + 19) % 32
  return `${year}-${`${month}`.padStart(2, '0')}-${`${date}`.padStart(2, '0')}`
}
