/** Where a requirement comes from: a `must` is specified by the caller, a `should` was decided where the caller says nothing. */
export type Level = 'must' | 'should'

/** One thing that a caller can see and rely on. */
export interface Requirement {
  /** What holds, in one sentence. */
  readonly sentence: string
  /** Whether it is specified or decided, and its topic: `specified: authentication`, `decided: dates`. */
  readonly source: string
  /** How binding it is. */
  readonly level: Level
  /** What usually causes a failure, in one sentence. */
  readonly cause: string
  /** Why it matters, in one sentence. */
  readonly reason: string
}

/** The form of the id of a requirement, such as `AUTH-1`. */
export type RequirementId = `${Uppercase<string>}-${number}`

/** The requirements of a topic by their ids. */
export type Requirements = Readonly<Record<RequirementId, Requirement>>

/** Makes requirements about something: `must` those that the caller specifies, `should` those that were decided where it says nothing. */
export function about(topic: Topic) {
  const reason = reasons[topic]
  const make =
    (level: Level, source: string) =>
    (sentence: string, cause: string): Requirement => {
      return { sentence, source: `${source}: ${topic}`, level, cause, reason }
    }
  return { must: make('must', 'specified'), should: make('should', 'decided') }
}

/** Why the requirements of a topic matter, to the caller or to the customer, in one sentence. */
const reasons = {
  adding: 'The customer clicked in an email and expects the product in the box, once and at the price shown.',
  answers: 'The caller reads every answer by its form; what it cannot read it shows as an empty place.',
  authentication: 'Whoever gets in with another key can read and change what every customer has.',
  bodies: 'The caller sends JSON as its own libraries write it, and a server that reads less loses clicks.',
  changes: 'A call that was refused, or only reads, must leave the next order as the customer knows it.',
  'current subscription': 'The email shows what comes next, and every button works on just that subscription.',
  'custom actions': 'A button that the merchant made must do its one thing, and say when it cannot.',
  customers: 'An address in a link is all that tells customers apart: nobody may see or change what another one has.',
  dates: 'A date that shifts by a day bills and ships on the wrong day.',
  delaying: 'The customer chose a day; another one bills them when they do not expect it.',
  discounts: 'The email promised a reduction: one that is missing, or taken twice, is a complaint.',
  'email addresses': 'The address is how the caller names a customer, in whatever form its users typed it.',
  'error codes': 'The caller chooses what the customer reads by the code and the status.',
  fields: 'A field that is read otherwise than it was meant orders what nobody wanted.',
  http: 'Proxies and clients rely on the rules of HTTP: a server that reads a request otherwise can be made to mix two of them.',
  'item ids': 'The caller finds by the id which item a button is about, and what it may be swapped for.',
  money: 'An amount with another number of decimals is shown, and charged, wrongly.',
  'paths and methods': 'The caller knows no other addresses; what answers elsewhere can be called past its checks.',
  privacy: 'What a message or a cache repeats can reach somebody whom it does not concern.',
  products: 'The email shows just what is listed: what is missing is not sold, and what is sold out disappoints.',
  queries: 'An address or a code with a plus, a space or a letter of another script must arrive as it is.',
  reactivating: 'A customer who comes back expects the subscription they had, and to be billed when it says so.',
  'response headers': 'They keep personal answers out of caches and browsers, and let a call be found in the logs.',
  retries: 'Email programs and networks send a click twice, and it must count once.',
  'sending now': 'A box that ships twice costs the merchant, and one that does not ship costs the customer.',
  swapping: 'The customer chose one item for another: nothing else may change.',
  'test mode': 'A test that reaches real customers ships real boxes.',
  undoing: 'The customer takes back a click, and nothing that they had before it.',
} as const

/** What a requirement is about. */
type Topic = keyof typeof reasons
