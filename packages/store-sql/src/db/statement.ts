import type { DialectName } from './connections.ts'

/** A part of a statement, with a parameter between each two texts. Kysely would take several times as long to compile it. */
export class Statement {
  constructor(
    readonly texts: readonly string[],
    readonly parameters: readonly unknown[] = [],
  ) {}

  /** Returns the SQL. It is equal for statements that differ only in their parameters. */
  in(dialect: DialectName): string {
    return this.texts.reduce((before, text, place) => `${before}${dialect === 'sqlite' ? '?' : `$${place}`}${text}`)
  }
}

/** Creates a statement. A value is a parameter, unless it is a part of the statement. */
export function statement(texts: TemplateStringsArray, ...values: readonly unknown[]): Statement {
  const all = [texts[0] ?? '']
  const parameters: unknown[] = []
  for (const [place, value] of values.entries()) {
    const part = value instanceof Statement ? value : new Statement(['', ''], [value])
    const [first = '', ...others] = part.texts
    all.push(`${all.pop()}${first}`, ...others)
    all.push(`${all.pop()}${texts[place + 1]}`)
    parameters.push(...part.parameters)
  }
  return new Statement(all, parameters)
}

/** Creates a part without parameters, such as the name of a table. */
export function raw(text: string): Statement {
  return new Statement([text])
}

/** Separates parts with commas. */
export function join(parts: readonly Statement[]): Statement {
  return parts.reduce((before, part) => statement`${before}, ${part}`)
}
