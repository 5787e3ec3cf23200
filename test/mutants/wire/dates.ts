import { changeField, failure } from '../messages.ts'
import { listMutants } from '../list-mutants.ts'

export const mutants = listMutants({
  request: {
    'dates go through a lenient parser': changeField('new_date', (value) =>
      typeof value === 'string' && Number.isFinite(Date.parse(value))
        ? new Date(value).toISOString().slice(0, 10)
        : value,
    ),
    'the time behind a date is cut off': changeField('new_date', (value) =>
      typeof value === 'string' ? value.split('T')[0] : value,
    ),
    '30 February rolls over into March': changeField('new_date', (value) =>
      typeof value === 'string' ? value.replace('02-30', '03-02') : value,
    ),
    'every fourth year is a leap year, 2100 too': changeField('new_date', (value) =>
      value === '2100-02-29' ? '2100-02-28' : value,
    ),
    'nobody knows of leap years': (sent) => (/-02-29/.test(sent.body ?? '') ? failure(400, 'invalid_date') : sent),
  },
})
