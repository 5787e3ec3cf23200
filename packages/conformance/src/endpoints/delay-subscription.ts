import { addDays } from '@storeport/core'
import { type Check, type CheckContext, define, onceInAShop, tests } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { customerOf, expectDone, readSubscription, perform } from '../shop/customers.ts'
import { readDelayed } from '../shop/changes.ts'
import { expectStandardHeaders } from '../requests/headers.ts'
import { rejects } from './examples.ts'

const { must, should } = about('delaying')

export const requirements: Requirements = {
  'DELAY-1': must('The next billing date becomes `new_date`.', 'The date is stored where no read finds it.'),
  'DELAY-2': should('A delay to a date in the past returns 400 `invalid_date`.', 'The date is not compared to today.'),
  'DELAY-3': should(
    'A delay to a date before the current billing date returns 400 `invalid_date`.',
    'The date is compared only to today\'s date, so a "delay" can move an order to an earlier date.',
  ),
  'DELAY-4': should(
    'A delay to the current billing date succeeds and changes nothing.',
    'The same date is rejected, so a retry of a successful delay is shown as an error.',
  ),
  'DELAY-5': should(
    'A delay to today returns 400 `invalid_date`. Tomorrow is the earliest allowed date.',
    "A delay to today succeeds, although the shop may already be processing today's orders.",
  ),
  'DELAY-6': should('A delay to any later date succeeds.', 'The shop limits how far an order can be delayed.'),
  'DELAY-7': should('A delay changes only the date. Items and amounts stay the same.', 'The subscription is replaced.'),
  'DELAY-8': should(
    'A delay for a customer without an active subscription returns 404 `subscription_not_found`.',
    'The delay returns success, although the customer has no subscription.',
  ),
}

const needs = ['getSubscription', 'delaySubscription'] as const

export const checks: readonly Check[] = define({ ...onceInAShop, needs }, requirements, {
  'delaySubscription.moves-the-date': {
    requirements: ['DELAY-1', 'DELAY-7', 'JSON-2', 'HEADER-1', 'HEADER-2', 'HEADER-3', 'HEADER-4'],
    layer: 'wire',
    async run(t) {
      const email = customerOf(t, 'otherCustomer')
      const before = await readSubscription(t, email)
      const new_date = addDays(before.next_billing_date, 1)
      const reply = await t.call('delaySubscription', { email, new_date })
      expectDone(t, reply)
      expectStandardHeaders(t, reply)
      const after = await readDelayed(t, email, before, new_date)
      t.equal(after.next_billing_date, new_date, 'next_billing_date')
      t.equal(after, { ...before, next_billing_date: new_date }, 'everything else', 'DELAY-7')
    },
  },
  'delaySubscription.rejects-invalid-requests': rejects('delaySubscription', [
    ['DELAY-2', 'invalid_date', 'otherCustomer', ({ today }) => delaysTo(addDays(today, -1), ...pastDates)],
    ['DELAY-3', 'invalid_date', 'otherCustomer', (t) => earlierDates(t, addDays(t.today, 1))],
    ['DELAY-5', 'invalid_date', 'otherCustomer', (t) => earlierDates(t, t.today)],
    ['CUSTOMER-1', 'customer_not_found', 'unknown', ({ today }) => delaysTo(addDays(today, 400))],
    ['DELAY-8', 'subscription_not_found', 'empty', ({ today }) => delaysTo(addDays(today, 400))],
  ]),
  'delaySubscription.accepts-the-same-date': tests(['DELAY-4'], async (t) => {
    const email = customerOf(t, 'otherCustomer')
    const before = await readSubscription(t, email)
    const same = { email, new_date: before.next_billing_date }
    await perform(t, 'delaySubscription', same)
    await perform(t, 'delaySubscription', same)
    t.equal(await readSubscription(t, email), before, 'the subscription')
  }),
  'delaySubscription.does-not-shift-dates': {
    title:
      'A delay sets exactly the requested date, even at the end of a month or year, on a leap day, or near a daylight-saving change.',
    requirements: ['DATE-5', 'DATE-4', 'DELAY-1'],
    async run(t) {
      const email = customerOf(t, 'otherCustomer')
      const { next_billing_date } = await readSubscription(t, email)
      const dates = t.farDates ? datesOfYears(t, next_billing_date) : datesOfDays(next_billing_date)
      for (const new_date of dates) await expectMove(t, email, new_date, 'DELAY-1')
    },
  },
  'delaySubscription.accepts-a-distant-date': tests(['DELAY-6'], async (t) => {
    const email = customerOf(t, 'otherCustomer')
    const { next_billing_date } = await readSubscription(t, email)
    const year = Number(next_billing_date.slice(0, 4)) + 100
    if (year > 9900) t.skipUsed(tooLate)
    const new_date = `${year}-06-15`
    await expectMove(t, email, new_date)
  }),
})

const pastDates = ['2000-02-29', '1970-01-01', '0001-01-01']

function delaysTo(...dates: readonly string[]) {
  return dates.map((new_date) => ({ new_date }))
}

/** Returns delays to the day before the billing date, and to a date if it is earlier than the billing date. */
async function earlierDates(t: CheckContext, date: string) {
  const { next_billing_date } = await readSubscription(t, customerOf(t, 'otherCustomer'))
  return delaysTo(addDays(next_billing_date, -1), ...(date < next_billing_date ? [date] : []))
}

/** Delays a subscription and expects the new date as the next billing date. */
async function expectMove(t: CheckContext, email: string, new_date: string, requirement?: 'DELAY-1'): Promise<void> {
  const before = await readSubscription(t, email)
  await perform(t, 'delaySubscription', { email, new_date }, requirement)
  t.equal((await readDelayed(t, email, before, new_date)).next_billing_date, new_date, 'next_billing_date')
}

/** Returns dates in later years: month and year boundaries, leap days, and days around daylight-saving changes. */
function datesOfYears(t: CheckContext, date: string): readonly string[] {
  const year = Number(date.slice(0, 4)) + 1
  const leapYear = year + ((4 - (year % 4)) % 4) + 4
  const days = ['01-01', '01-31', '02-28', '03-01', '03-31', '04-05', '06-30', '10-25', '11-01', '12-31']
  const dates = days.map((day) => `${year}-${day}`)
  if (leapYear > 9900) t.skipUsed(tooLate)
  return leapYear % 100 === 0 ? dates : [...dates, `${leapYear}-02-29`, `${leapYear}-12-31`]
}

/** Returns the two days after a date, and the month boundaries in the next ten days. */
function datesOfDays(date: string): readonly string[] {
  const days = Array.from({ length: 10 }, (_, index) => addDays(date, index + 1))
  const isEdge = (day: string) => day.endsWith('-01') || addDays(day, 1).endsWith('-01')
  return days.filter((day, index) => index < 2 || isEdge(day))
}

/** Skip reason if a check needs a date after the year 9999, which `YYYY-MM-DD` cannot represent. */
const tooLate = 'earlier runs have delayed the subscription almost to the year 10000'
