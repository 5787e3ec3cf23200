import { type CompleteStorePort, type EndpointName, endpointNames, type InputOf } from '@storeport/core'
import { allRules, type Rule, type RuleName, ruleNames, type Rules, type Shop } from '@storeport/rules'
import { failure, keyHeader, page, replaceText, type Sent, withHeader } from './messages.ts'
import { keys, type Mutant } from './mutant.ts'

type Change = Omit<Mutant, 'defect'>

/** Changes of one kind by defect, as in `mutants.txt`. */
type Table<Value> = Readonly<Record<string, NonNullable<Value>>>

type AccountOf<Name extends RuleName> = Parameters<Rules[Name]>[0]
type ResultOf<Name extends RuleName> = ReturnType<Rules[Name]>

/** The original arguments of a rule. */
interface Given<Name extends RuleName> {
  readonly account: AccountOf<Name>
  readonly input: InputOf<Name>
  readonly shop: Shop
}

type ChangeMethod<Name extends EndpointName> = (
  method: CompleteStorePort[Name],
  store: CompleteStorePort,
) => CompleteStorePort[Name]

const fields = ['store', 'find', 'shop', 'request', 'answer', 'options', 'flaw'] as const

/** What happens to the requests that a mutant handles in another way than the correct shop. */
const outcomes = {
  /** The shop accepts the request, as if it had the right key. */
  admits: (sent: Sent) => withHeader(sent, keyHeader, keys.first),
  /** The request ends in an exception of a web framework. */
  crashes: () => page(500),
  /** The request is not valid. */
  refuses: () => failure(400, 'invalid_request', 'email: is wrong'),
}

/**
 * Mutants by the part that they change: a rule, its arguments or its result, a method of the store, a path, a query,
 * a text in response bodies, the outcome of some requests, or other fields.
 */
type Tables = { readonly [Field in (typeof fields)[number]]?: Table<Mutant[Field]> } & {
  readonly [Outcome in keyof typeof outcomes]?: Table<(sent: Sent) => boolean>
} & {
  readonly rules?: { readonly [Name in RuleName]?: Table<Rules[Name]> }
  readonly accounts?: {
    readonly [Name in RuleName]?: Table<(account: AccountOf<Name>, given: Given<Name>) => AccountOf<Name>>
  }
  readonly inputs?: {
    readonly [Name in RuleName]?: Table<(input: InputOf<Name>, given: Given<Name>) => InputOf<Name>>
  }
  readonly results?: {
    readonly [Name in RuleName]?: Table<(result: ResultOf<Name>, given: Given<Name>) => ResultOf<Name>>
  }
  readonly paths?: Table<(path: string) => string>
  readonly queries?: Table<(query: string) => string>
  readonly bodies?: Table<readonly [pattern: string | RegExp, by: string]>
  readonly methods?: { readonly [Name in EndpointName]?: Table<ChangeMethod<Name>> }
  /** Methods of a shop without the retry guard, which lets one change of a customer run at a time. */
  readonly unguarded?: Table<Mutant['store']>
  readonly several?: Table<Change>
}

/** Creates a mutant for each entry of the tables. */
export function listMutants(tables: Tables): readonly Mutant[] {
  return [
    ...ruleNames.flatMap((name) => mutantsOfRule(name, tables)),
    ...endpointNames.flatMap(<Name extends EndpointName>(name: Name) =>
      rowsOf(tables.methods?.[name], (change) => ({ store: (store) => ({ [name]: change(store[name], store) }) })),
    ),
    ...rowsOf(tables.paths, (change) => ({ request: (sent) => ({ ...sent, path: change(sent.path) }) })),
    ...rowsOf(tables.queries, (change) => ({ request: (sent) => ({ ...sent, query: change(sent.query) }) })),
    ...rowsOf(tables.bodies, ([pattern, by]) => ({ answer: replaceText(pattern, by) })),
    ...(['admits', 'crashes', 'refuses'] as const).flatMap((outcome) =>
      rowsOf(tables[outcome], (isMeant) => ({ request: (sent) => (isMeant(sent) ? outcomes[outcome](sent) : sent) })),
    ),
    ...fields.flatMap((field) => rowsOf<unknown>(tables[field], (value) => ({ [field]: value }))),
    ...rowsOf(tables.unguarded, (store) => ({ options: { retries: false }, store })),
    ...rowsOf(tables.several, (change) => change),
  ]
}

function mutantsOfRule<Name extends RuleName>(name: Name, tables: Tables): readonly Mutant[] {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- this is the rule with the name
  const correct = allRules[name] as unknown as Rule<AccountOf<Name>, InputOf<Name>, ResultOf<Name>>
  const withRule = (rule: unknown): Change => ({ rules: { [name]: rule } })
  const wrapped = (change: (given: Given<Name>) => ResultOf<Name>) =>
    withRule((account: AccountOf<Name>, input: InputOf<Name>, shop: Shop) => change({ account, input, shop }))
  return [
    ...rowsOf<unknown>(tables.rules?.[name], withRule),
    ...rowsOf(tables.accounts?.[name], (change) =>
      wrapped((given) => correct(change(given.account, given), given.input, given.shop)),
    ),
    ...rowsOf(tables.inputs?.[name], (change) =>
      wrapped((given) => correct(given.account, change(given.input, given), given.shop)),
    ),
    ...rowsOf(tables.results?.[name], (change) =>
      wrapped((given) => change(correct(given.account, given.input, given.shop), given)),
    ),
  ]
}

function rowsOf<Value>(
  table: Readonly<Record<string, Value>> = {},
  toChange: (value: Value) => Change,
): readonly Mutant[] {
  return Object.entries(table).map(([defect, value]) => ({ defect, ...toChange(value) }))
}
