/**
 * Level of a requirement.
 *
 * `must`: specified by the caller. `risk`: not specified, but customers are at risk if the requirement fails. `should`:
 * recommended by StorePort.
 */
export type Level = (typeof levels)[number]

/** Levels of requirements, most important first. */
export const levels = ['must', 'risk', 'should'] as const

/** Observable behavior that a caller can rely on. */
export interface Requirement {
  /** The required behavior, in one or two sentences. */
  readonly sentence: string
  /** Level of the requirement. */
  readonly level: Level
  /** The usual cause of a failure. */
  readonly cause: string
  /** Why the requirement matters, in one sentence. */
  readonly reason: string
  /** The effect on customers if a `risk` fails, in one sentence. */
  readonly risk?: string
}

/** Origin of a requirement, by level. */
export const origins: Readonly<Record<Level, string>> = {
  must: 'specification',
  risk: 'StorePort requirement',
  should: 'StorePort recommendation',
}

/** Id of a requirement, such as `AUTH-1`. */
export type RequirementId = `${Uppercase<string>}-${number}`

/** Requirements of a topic by id. */
export type Requirements = Readonly<Record<RequirementId, Requirement>>

/** Returns functions that create the requirements of a topic: for `must`, for `should` and for each kind of risk. */
export function about(topic: keyof typeof reasons) {
  const reason = reasons[topic]
  const make =
    (level: Level, risk?: string) =>
    (sentence: string, cause: string): Requirement => ({ sentence, level, cause, reason, ...(risk && { risk }) })
  return {
    must: make('must'),
    should: make('should'),
    countsTwice: make('risk', 'A click takes effect twice.'),
    losesChange: make('risk', 'A change is lost.'),
    changesMore: make('risk', 'A request changes more than it should.'),
    showsOthers: make('risk', "Another customer's data is shown or changed."),
    leaks: make('risk', 'Internal details of the server are exposed.'),
  }
}

/** Reasons why requirements matter to the caller or the customer, by topic. */
const reasons = {
  adding: 'The customer clicked in an email, and expects to receive the product once, at the displayed price.',
  responses: 'The email platform parses every response. If the format is wrong, the email shows an empty space.',
  authentication: "An attacker who bypasses the key check can read and change all customers' data.",
  bodies:
    "The email platform uses standard JSON libraries. If a server rejects valid requests from these libraries, the customers' clicks fail.",
  changes: "A rejected request or a read must not change the customer's next order.",
  'current subscription':
    "The email shows the current subscription's next order, and every button changes that subscription.",
  'custom actions':
    "A merchant's custom button must run exactly one action, and report a failure if the action cannot run.",
  customers:
    "An email address in a link is the only identification. No customer may read or change another customer's data.",
  dates: 'A date that is off by one day causes billing and shipping on the wrong day.',
  delaying: 'The customer chose a date. If the shop bills on another date, the customer is charged unexpectedly.',
  discounts: 'The email promised a discount. A discount that is missing or applied twice causes complaints.',
  'email addresses': 'The email address identifies the customer, regardless of letter case and surrounding spaces.',
  'error codes': "The email platform uses the error code and the status to select the customer's message.",
  fields: 'A misinterpreted field can cause an unwanted order.',
  http: 'Proxies and clients rely on the rules of HTTP. A server that parses requests differently is open to request smuggling.',
  'item ids':
    'The email platform uses the id to match a button to its item, and to find products that can replace the item.',
  money: 'An amount with too many decimals is displayed and charged incorrectly.',
  'paths and methods':
    'The email platform uses only these URLs. Other URLs may bypass access rules in front of the shop.',
  privacy: 'Personal data in an error message or a cache can be exposed to other people.',
  products:
    'The email shows exactly the listed products. A missing product cannot be sold, and a sold-out product disappoints the customer.',
  queries: 'An address or a code with a plus, a space or a non-Latin character must arrive unchanged.',
  reactivating: 'A returning customer expects the previous subscription, and billing on the displayed date.',
  'response headers':
    'The headers keep personal data out of caches and browsers, and make each request traceable in the logs.',
  retries: 'Email clients and networks may send a click twice. The click must take effect once.',
  sequences: 'Customers make several changes before the next order. Each change must keep the effects of the others.',
  'sending now':
    'If a box ships twice, the merchant loses money. If a box does not ship, the merchant can lose the customer.',
  swapping: 'The customer replaced one item. Nothing else may change.',
  'test mode': 'A test that reaches real customers ships real boxes.',
  undoing: 'The customer undoes one click. Products that were in the order before that click must stay.',
} as const
