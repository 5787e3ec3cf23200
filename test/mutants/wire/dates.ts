import { changeField, refusal } from '../messages.ts'
import type { Mutant } from '../mutant.ts'

/** Which dates are accepted. */
export const mutants: readonly Mutant[] = [
  {
    defect: 'dates go through a lenient parser',
    caughtBy: 'delaySubscription.wants-a-date',
    request: changeField('new_date', (value) =>
      typeof value === 'string' && Number.isFinite(Date.parse(value))
        ? new Date(value).toISOString().slice(0, 10)
        : value,
    ),
  },
  {
    defect: 'the time behind a date is cut off',
    caughtBy: 'delaySubscription.wants-a-date',
    request: changeField('new_date', (value) => (typeof value === 'string' ? value.split('T')[0] : value)),
  },
  {
    defect: '30 February rolls over into March',
    caughtBy: 'delaySubscription.knows-the-calendar',
    request: changeField('new_date', (value) => (typeof value === 'string' ? value.replace('02-30', '03-02') : value)),
  },
  {
    defect: 'every fourth year is a leap year, 2100 too',
    caughtBy: 'delaySubscription.knows-the-calendar',
    request: changeField('new_date', (value) => (value === '2100-02-29' ? '2100-02-28' : value)),
  },
  {
    defect: 'nobody knows of leap years',
    caughtBy: 'delaySubscription.knows-leap-years',
    request: (sent) => (/-02-29/.test(sent.body ?? '') ? refusal(400, 'invalid_date') : sent),
  },
]
