import type { DialectName, Send } from './connections.ts'

/** A change of the rows of one table. */
export interface Write {
  /** Its statement. */
  readonly form: WriteForm
  /** The values of its parameters. */
  readonly parameters: readonly unknown[]
  /** Makes the error to throw when it changes no row; default none. */
  readonly refuse?: (() => Error) | undefined
}

/** The statement of a write, which may become a part of a larger one. */
export interface WriteForm {
  /** No other form has it. */
  readonly name: string
  /** Writes it for a database, its parameters by their numbers. */
  write(dialect: DialectName, parameter: (number: number) => string): string
}

/**
 * Makes changes of several tables in the order of the list, of which none depends on another: for a server by one
 * statement, since each is a round trip.
 */
export async function makeChanges(send: Send, dialect: DialectName, writes: readonly Write[]): Promise<void> {
  if (dialect === 'postgres' && writes.length > 1) return changeTogether(send, writes)
  for (const { form, parameters, refuse } of writes) {
    const { changes } = await send(
      findText(form.name, () => writeAlone(form, dialect), dialect),
      parameters,
    )
    if (changes === 0 && refuse !== undefined) throw refuse()
  }
}

async function changeTogether(send: Send, writes: readonly Write[]): Promise<void> {
  const text = findText(writes.map(({ form }) => form.name).join(' '), () => writeTogether(writes), 'postgres')
  const { rows } = await send<Readonly<Record<string, number>>>(
    text,
    writes.flatMap(({ parameters }) => parameters),
  )
  for (const [place, { refuse }] of writes.entries()) {
    if (refuse !== undefined && rows[0]?.[`changes_${place}`] === 0) throw refuse()
  }
}

/** Foreign keys are checked when the statement ends, so that its parts may be done in any order. */
function writeTogether(writes: readonly Write[]): string {
  let before = 0
  const parts = writes.map(({ form, parameters }, place) => {
    const offset = before
    before += parameters.length
    return `part_${place} as (${form.write('postgres', (number) => `$${offset + number}`)} returning 1)`
  })
  const counts = writes.map((_, place) => `(select count(*) from part_${place}) as changes_${place}`)
  return `with ${parts.join(', ')} select ${counts.join(', ')}`
}

function writeAlone(form: WriteForm, dialect: DialectName): string {
  return form.write(dialect, (number) => (dialect === 'sqlite' ? `?${number}` : `$${number}`))
}

/** Texts that were made, by what they do: the same text finds its prepared statement. */
const texts: Readonly<Record<DialectName, Map<string, string>>> = { sqlite: new Map(), postgres: new Map() }

/** Returns the text of a name, which is made once. */
export function findText(name: string, make: () => string, dialect: DialectName): string {
  const known = texts[dialect].get(name)
  if (known !== undefined) return known
  const made = make()
  texts[dialect].set(name, made)
  return made
}

/** Reads a list that may be the text of JSON; anything else is an empty list. */
export function parseList(json: unknown): readonly unknown[] {
  const list = parseJson(json)
  return Array.isArray(list) ? list : []
}

/** Reads a column of JSON. */
export function parseJson<Value>(json: Value | string): Value {
  return typeof json === 'string' ? JSON.parse(json) : json
}
