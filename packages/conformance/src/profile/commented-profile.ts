import { isObject } from '../http/json.ts'
import type {
  Profile,
  ProfileActions,
  ProfileCustomers,
  ProfileDiscounts,
  ProfileProducts,
  ProfileSubscriptions,
} from './profile.ts'
import { seedProfile } from './seed-profile.ts'

/** What each field is for; a new field of the profile does not compile until it has a comment. */
const comments = {
  customers: {
    unknown: 'Nobody has this address.',
    empty: 'A customer without any subscription, active or cancelled, and without recommendations.',
    subscribed:
      'A customer with two active subscriptions; the one that is billed first must lack one of the listed products.',
    cancelled: 'A customer whose subscriptions are all cancelled; some can be reactivated.',
    neighbour:
      'Another customer, with one active subscription and a cancelled one that can be reactivated: nobody else may reach them.',
  } satisfies Comments<ProfileCustomers>,
  products: {
    listed:
      'The start of the list that everybody gets, in its order. Prices are those of one unit: 19.95 is 19.95 of your currency.',
    unavailable: 'A product that is sold out.',
    unknown: 'No product has this id.',
  } satisfies Comments<ProfileProducts>,
  recommended:
    'The products that are recommended to customers.subscribed, best first, whether or not they have them already.',
  subscriptions: {
    cancelled: 'The cancelled ones of customers.cancelled that can be reactivated, most recently cancelled first.',
    tooOld: 'One of customers.cancelled that was cancelled too long ago.',
    active: 'An active one of customers.subscribed.',
    unknown: 'No subscription has this id.',
  } satisfies Comments<ProfileSubscriptions>,
  interval: 'How often the subscription of customers.neighbour is billed: months, weeks, or both.',
  discounts: {
    percentage: 'A percentage: 10 means 10 %.',
    fixed: 'A fixed amount of your currency.',
    expired: 'A code that has expired.',
    unknown: 'No discount has this code.',
  } satisfies Comments<ProfileDiscounts>,
  actions: {
    known: 'An action that may be run as often as one likes.',
    unknown: 'No action has this id.',
  } satisfies Comments<ProfileActions>,
  refusals:
    'Further calls that your shop refuses, and the code that must come back, such as a customer whose payment fails.',
  maxQuantity: 'Most units that one line may hold.',
  currency: 'The currency of every amount, by its code of ISO 4217: no amount may have more decimals than it has.',
  timeZone: 'The time zone that decides what "today" is in your shop, such as "Europe/Paris".',
  today: 'Only where the date of the shop stands still: "today": "2026-11-20"',
} satisfies { readonly [Field in keyof Required<Profile>]: string | CommentTree }

interface CommentTree {
  readonly [field: string]: string | CommentTree
}

type Comments<Value> = { readonly [Field in keyof Value]-?: string }

/** A profile as a file, each field with what it is for: `--save` writes what was learned so. */
export function commentProfile(profile: Profile): string {
  return `// Which test data your shop has: the checks use it, and change what these customers have.
// Put your own values in place of these, and leave out what you do not have: then the checks that need it are skipped.
// Use it with: storeport-conformance https://shop.example --profile FILE
${writeObject(comments, profile)}
`
}

/** What `--init` writes: the profile of the reference host's test data. */
export const commentedProfile: string = commentProfile(seedProfile)

/** An object as JSON, each field below its comment; of a field without a value the comment alone. */
function writeObject(about: CommentTree, value: object): string {
  const values = new Map(Object.entries(value))
  const last = Object.keys(about).findLast((name) => values.get(name) !== undefined)
  const fields = Object.entries(about).flatMap(([name, comment]) => {
    const held: unknown = values.get(name)
    const isGroup = typeof comment === 'object'
    const text = isGroup && isObject(held) ? writeObject(comment, held) : writeValue(held)
    const line = held === undefined ? [] : [`${JSON.stringify(name)}: ${text}${name === last ? '' : ','}`]
    return isGroup ? line : [`// ${comment}`, ...line]
  })
  return `{\n${indent(fields.join('\n'))}\n}`
}

/** What fits is written into one line. */
function writeValue(value: unknown): string {
  const isList = Array.isArray(value)
  if (!isList && !isObject(value)) return JSON.stringify(value)
  const parts = isList
    ? value.map(writeValue)
    : Object.entries(value).map(([name, held]) => `${JSON.stringify(name)}: ${writeValue(held)}`)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  const line = isList ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`
  return line.length <= 100 && !line.includes('\n') ? line : `${open}\n${indent(parts.join(',\n'))}\n${close}`
}

function indent(text: string): string {
  return text.replace(/^/gm, '  ')
}
