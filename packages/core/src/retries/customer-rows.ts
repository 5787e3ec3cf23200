import { readName } from './local-names.ts'

/** How many rows there is room for at first. */
const firstRoom = 64

/** How many slots of the index there are for each row that there is room for. */
const slotsPerRow = 2

/** A row has 64 bytes, as much as a processor fetches at once: nine whole numbers, then three times. */
const wholesPerRow = 16
const timesPerRow = 8

/** Where the whole numbers of a row stand; a name takes four. */
const whole = { customer: 0, latest: 4, hasLatest: 8 } as const

/** Where the times of a row stand, in milliseconds. */
const time = { since: 5, until: 6, expiresAt: 7 } as const

/** What is one of several of a customer, the newest first. */
interface Listed<Entry> {
  before: Entry | undefined
}

/**
 * What is known of each customer: the tries that are kept, and the last success.
 *
 * A table of numbers, found by an index with open addressing: what a map would hold of each customer, strings and entries,
 * the garbage collector would move and look at again and again, and each of them lies somewhere else.
 */
export class CustomerRows<Try extends Listed<Try>> {
  /** The newest try of each row. */
  readonly #newest: (Try | undefined)[] = []
  #tries = 0
  #wholes = new Int32Array(0)
  #times = new Float64Array(0)
  /** The row of each slot plus one; 0 where there is none. */
  #slots = new Int32Array(0)
  /** Leaves as many bits as number the slots. */
  #shift = 0
  #room = 0
  readonly #unused: number[] = []
  /** How many rows were ever used. */
  #used = 0
  #hand = 0
  #successes = 0
  /** The name that is looked for. */
  readonly #sought = new Int32Array(4)

  constructor() {
    this.#makeRoom(firstRoom)
  }

  /** How many customers are known. */
  get size(): number {
    return this.#used - this.#unused.length
  }

  /** How many tries are kept, of all customers. */
  get tries(): number {
    return this.#tries
  }

  /** How many customers have a success that is remembered. */
  get successes(): number {
    return this.#successes
  }

  /** Goes through the rows, the oldest first as long as none was free in between, used or not; `undefined` at the end of each round. */
  next(): number | undefined {
    if (this.#hand < this.#used) return this.#hand++
    this.#hand = 0
    return undefined
  }

  /** The row of a customer; `undefined` when nothing is known. */
  find(customer: string): number | undefined {
    readName(customer, this.#sought, 0)
    const row = this.#rowIn(this.#slotOf(this.#sought, 0))
    return row === -1 ? undefined : row
  }

  /** The row of a customer of whom nothing was known. */
  add(customer: string): number {
    const row = this.#unused.pop() ?? this.#used++
    if (row === this.#room) this.#makeRoom(this.#room * 2)
    const at = row * wholesPerRow
    readName(customer, this.#wholes, at + whole.customer)
    this.#wholes[at + whole.hasLatest] = 0
    this.#slots[this.#slotOf(this.#wholes, at + whole.customer)] = row + 1
    return row
  }

  /** Whether anything is known of the customer of a row. */
  isKept(row: number): boolean {
    return this.#newest[row] !== undefined || this.hasLatest(row)
  }

  /** The newest try of a customer, which names the one before it. */
  newestTry(row: number): Try | undefined {
    return this.#newest[row]
  }

  /** Keeps a try of a customer. */
  addTry(row: number, entry: Try): void {
    entry.before = this.#newest[row]
    this.#newest[row] = entry
    this.#tries += 1
  }

  /** Forgets a try of a customer; a row without anything is free for another one. */
  removeTry(row: number, entry: Try): void {
    const newest = this.#newest[row]
    if (newest === entry) this.#newest[row] = entry.before
    else {
      let later = newest
      while (later !== undefined && later.before !== entry) later = later.before
      if (later === undefined) return
      later.before = entry.before
    }
    this.#tries -= 1
    this.#removeIfEmpty(row)
  }

  /** Whether a success is remembered. */
  hasLatest(row: number): boolean {
    return this.#wholes[row * wholesPerRow + whole.hasLatest] === 1
  }

  /** Whether the last success is remembered, and is that of a click. */
  isLatest(row: number, click: string): boolean {
    readName(click, this.#sought, 0)
    return this.hasLatest(row) && this.#hasName(row, whole.latest, this.#sought, 0)
  }

  /** When the last success ended. */
  since(row: number): number {
    return this.#times[row * timesPerRow + time.since] ?? 0
  }

  /** Until when a repeat of the last success is replayed. */
  until(row: number): number {
    return this.#times[row * timesPerRow + time.until] ?? 0
  }

  /** When nothing of the last success counts any more. */
  expiresAt(row: number): number {
    return this.#times[row * timesPerRow + time.expiresAt] ?? 0
  }

  /** Remembers the success of a click, unless a later one is. */
  keepLatest(row: number, click: string, since: number, until: number, expiresAt: number): void {
    if (!this.hasLatest(row)) this.#successes += 1
    else if (this.since(row) > since) return
    this.#wholes[row * wholesPerRow + whole.hasLatest] = 1
    readName(click, this.#wholes, row * wholesPerRow + whole.latest)
    const at = row * timesPerRow
    this.#times[at + time.since] = since
    this.#times[at + time.until] = until
    this.#times[at + time.expiresAt] = expiresAt
  }

  /** Forgets the last success; a row without anything is free for another customer. */
  forgetLatest(row: number): void {
    this.#wholes[row * wholesPerRow + whole.hasLatest] = 0
    this.#successes -= 1
    this.#removeIfEmpty(row)
  }

  #removeIfEmpty(row: number): void {
    if (this.isKept(row)) return
    this.#closeGap(this.#slotOf(this.#wholes, row * wholesPerRow + whole.customer))
    this.#unused.push(row)
  }

  /** Empties a slot, and moves into it what would no longer be found behind an empty one. */
  #closeGap(empty: number): void {
    let gap = empty
    const last = this.#slots.length - 1
    for (let slot = (gap + 1) & last; this.#rowIn(slot) !== -1; slot = (slot + 1) & last) {
      const home = this.#homeOf(this.#wholes, this.#rowIn(slot) * wholesPerRow + whole.customer)
      // What stands between its home and here stays, if the gap is not between them.
      if (((slot - home) & last) < ((slot - gap) & last)) continue
      this.#slots[gap] = this.#slots[slot] ?? 0
      gap = slot
    }
    this.#slots[gap] = 0
  }

  /** The slot that has a customer's row, or the empty one that would. */
  #slotOf(names: Int32Array, at: number): number {
    let slot = this.#homeOf(names, at)
    for (let row = this.#rowIn(slot); row !== -1; row = this.#rowIn(slot)) {
      if (this.#hasName(row, whole.customer, names, at)) return slot
      slot = (slot + 1) & (this.#slots.length - 1)
    }
    return slot
  }

  /** Where one looks for a name first: at the high bits of a product, on which all the bits of its first part bear. */
  #homeOf(names: Int32Array, at: number): number {
    return Math.imul(names[at] ?? 0, 0x9e3779b1) >>> this.#shift
  }

  #rowIn(slot: number): number {
    return (this.#slots[slot] ?? 0) - 1
  }

  #hasName(row: number, column: number, names: Int32Array, at: number): boolean {
    const own = row * wholesPerRow + column
    for (let part = 0; part < 4; part++) if (this.#wholes[own + part] !== names[at + part]) return false
    return true
  }

  #makeRoom(room: number): void {
    const [wholes, slots] = [this.#wholes, this.#slots]
    const rows = new ArrayBuffer(room * wholesPerRow * Int32Array.BYTES_PER_ELEMENT)
    this.#wholes = new Int32Array(rows)
    this.#times = new Float64Array(rows)
    this.#wholes.set(wholes)
    this.#slots = new Int32Array(room * slotsPerRow)
    this.#shift = 32 - Math.log2(room * slotsPerRow)
    this.#room = room
    for (const taken of slots) {
      if (taken === 0) continue
      this.#slots[this.#slotOf(this.#wholes, (taken - 1) * wholesPerRow + whole.customer)] = taken
    }
  }
}
