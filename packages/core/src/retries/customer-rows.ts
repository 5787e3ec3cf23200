/** How many rows there is room for at first. */
const firstRoom = 64

/** Where the numbers of a row stand, side by side: they are read together. */
const column = { tries: 0, since: 1, until: 2, expiresAt: 3, count: 4 } as const

/**
 * What is known of each customer: how many tries are kept, and the last success. In columns, since an object for each
 * would be moved by the garbage collector, and looked at again and again.
 */
export class CustomerRows {
  /** The row of each customer of whom anything is known, the oldest first. */
  readonly #rows = new Map<string, number>()
  readonly #unused: number[] = []
  readonly #ids: string[] = []
  readonly #latest: (string | undefined)[] = []
  #numbers = new Float64Array(firstRoom * column.count)
  #successes = 0

  /** The rows by customer, the oldest first. */
  get all(): ReadonlyMap<string, number> {
    return this.#rows
  }

  /** How many customers have a success that is remembered. */
  get successes(): number {
    return this.#successes
  }

  /** The row of a customer; `undefined` when nothing is known. */
  find(customer: string): number | undefined {
    return this.#rows.get(customer)
  }

  /** The row of a customer of whom nothing was known. */
  add(customer: string): number {
    const row = this.#unused.pop() ?? this.#ids.length
    if ((row + 1) * column.count > this.#numbers.length) this.#numbers = doubled(this.#numbers)
    this.#rows.set(customer, row)
    this.#ids[row] = customer
    this.#set(row, 'tries', 0)
    this.#latest[row] = undefined
    return row
  }

  /** How many tries of a customer are kept. */
  tries(row: number): number {
    return this.#get(row, 'tries')
  }

  /** Counts tries in and out; a row without anything is free for another customer. */
  countTries(row: number, change: 1 | -1): void {
    this.#set(row, 'tries', this.tries(row) + change)
    this.#removeIfEmpty(row)
  }

  /** Names the click that succeeded last, where that is remembered. */
  latest(row: number): string | undefined {
    return this.#latest[row]
  }

  /** When the last success ended. */
  since(row: number): number {
    return this.#get(row, 'since')
  }

  /** Until when a repeat of the last success is replayed. */
  until(row: number): number {
    return this.#get(row, 'until')
  }

  /** When nothing of the last success counts any more. */
  expiresAt(row: number): number {
    return this.#get(row, 'expiresAt')
  }

  /** Remembers a success, unless a later one is. */
  keepLatest(row: number, id: string, since: number, until: number, expiresAt: number): void {
    if (this.#latest[row] === undefined) this.#successes += 1
    else if (this.since(row) > since) return
    this.#latest[row] = id
    this.#set(row, 'since', since)
    this.#set(row, 'until', until)
    this.#set(row, 'expiresAt', expiresAt)
  }

  /** Forgets the last success; a row without anything is free for another customer. */
  forgetLatest(row: number): void {
    this.#latest[row] = undefined
    this.#successes -= 1
    this.#removeIfEmpty(row)
  }

  #removeIfEmpty(row: number): void {
    if (this.tries(row) > 0 || this.#latest[row] !== undefined) return
    this.#rows.delete(this.#ids[row] ?? '')
    this.#unused.push(row)
  }

  #get(row: number, name: keyof typeof column): number {
    return this.#numbers[row * column.count + column[name]] ?? 0
  }

  #set(row: number, name: keyof typeof column, value: number): void {
    this.#numbers[row * column.count + column[name]] = value
  }
}

function doubled(numbers: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const longer = new Float64Array(numbers.length * 2)
  longer.set(numbers)
  return longer
}
