import { dayMs, honoredMs, type StoreKind } from './case.ts'
import type { Core, Mutation, Runtime } from './core.ts'
import type { Oracle } from './oracle.ts'
import type { Storage } from './storage.ts'
import type { Fault, Request, Variant, World } from './world.ts'

interface Call {
  readonly number: number
  readonly request: Request
  readonly key: string
  readonly fingerprint: string | undefined
}

type Reconcile = Mutation['reconcile']
type Pending = NonNullable<Parameters<Mutation['run']>[1]['pending']>

/** Time for which the platform ignores a repeated key, in milliseconds, by store kind. */
const honorsMs: Partial<Readonly<Record<StoreKind, number>>> = {
  honors: Infinity,
  'honors for a time': honoredMs,
  outside: Infinity,
}

const effectFaults: readonly Fault[] = [
  'lost response',
  'failure',
  'late change',
  'late response',
  'caller disconnects',
]

/** The merchant's shop. Each change is a step, and the responses follow the guarantees of the store kind. */
export class Shop {
  readonly #core: Core
  readonly #world: World
  readonly #oracle: Oracle
  readonly #storage: Storage
  readonly #kind: StoreKind
  readonly #applied: (Call & { readonly at: number })[] = []
  /** Time at which a transaction stored each order, by platform key. Checked only for `outside` stores. */
  readonly #orders = new Map<string, number>()
  /** Highest call number that `reconcile` has fenced, by platform key or fingerprint. */
  readonly #fences = new Map<string, number>()
  #calls = 0

  constructor(core: Core, world: World, oracle: Oracle, storage: Storage, kind: StoreKind) {
    this.#core = core
    this.#world = world
    this.#oracle = oracle
    this.#storage = storage
    this.#kind = kind
  }

  /** Returns a string for the digest, which contains only the state that affects later changes. */
  text(): string {
    return `${this.#applied.map(({ key }) => key).join()}|${[...this.#fences].join()}`
  }

  get store(): Mutation['store'] {
    if (this.#kind === 'transactional') return { ledger: this.#storage.ledger }
    if (this.#kind === 'honors') return { honoursIdempotencyKey: true }
    if (this.#kind === 'honors for a time') return { honoursIdempotencyKey: { forMs: honoredMs } }
    return this.#kind === 'plain' || this.#kind === 'outside'
      ? {}
      : { reconcile: () => Promise.reject(new Error('The mutation reconciles.')) }
  }

  get method(): object {
    return this.#kind === 'transactional' || this.#kind === 'outside'
      ? this.#core.storesClicks(() => Promise.resolve())
      : {}
  }

  /** Returns a function that calls the store's method for one request, with a timeout. */
  change(request: Request, timeoutMs: number, runtime: Runtime, rejections: boolean): Mutation['run'] {
    return (key, { pending, identity }) => {
      const { actor } = this.#world
      const call = { number: ++this.#calls, request, key, fingerprint: identity?.fingerprint }
      const change =
        pending !== undefined && this.#kind === 'outside'
          ? this.#changeOutside(call, pending, rejections)
          : this.#change(call, pending, rejections)
      this.#world.actor = actor
      return this.#withTimeout(change, timeoutMs, runtime)
    }
  }

  #change(call: Call, pending: Pending | undefined, rejections: boolean): Promise<void> {
    this.#oracle.start(call.request, call.key)
    return new Promise((resolve, reject) => {
      if (pending !== undefined) this.#planCommit(call, pending, rejections, resolve, reject)
      else this.#planEffect(call, rejections, resolve, reject)
    })
  }

  /** Commits the attempt and its key before the transaction, like `once` with `outside`. */
  async #changeOutside(call: Call, pending: Pending, rejections: boolean): Promise<void> {
    pending.ledger = this.#storage.ledger
    if ((await pending.claimOutside(pending.ledger)) === undefined) return
    await this.#change({ ...call, key: pending.idempotencyKey }, pending, rejections)
  }

  /** Returns a function that reports the outcome of earlier attempts. */
  reconcile(request: Request, runtime: Runtime): Reconcile {
    return (facts, timeoutMs) => {
      const outcome = new Promise<Awaited<ReturnType<Reconcile>>>((resolve, reject) => {
        const respond = (variant: Variant) => {
          if (variant === 'lost response') return reject(this.#error('upstream_error'))
          const found = this.#find(facts)
          this.#oracle.reconcile(request, found)
          this.#world.log(() => `reconcile: ${found}`)
          this.#world.observe(this.#world.owner(), found)
          resolve(found)
        }
        this.#world.plan('reconcile', 'shop', respond, ['lost response'])
      })
      return this.#withTimeout(outcome, timeoutMs, runtime)
    }
  }

  #find({ idempotencyKey, clickIdentity, ledgerIsYoung }: Parameters<Reconcile>[0]): Awaited<ReturnType<Reconcile>> {
    if (this.#kind === 'unsure') return 'unknown'
    const id = ledgerIsYoung ? clickIdentity.fingerprint : idempotencyKey
    const found = this.#applied.findLast((call) => (ledgerIsYoung ? call.fingerprint : call.key) === id)
    if (found !== undefined && (!ledgerIsYoung || this.#oracle.isRecent(found.request, clickIdentity.windowMs)))
      return 'applied'
    if (this.#kind === 'fences') this.#fences.set(id, this.#calls)
    return 'not_applied'
  }

  #planEffect(call: Call, rejections: boolean, resolve: () => void, reject: (error: unknown) => void): void {
    const { request } = call
    const make = (variant: Variant) => {
      if (variant === 'rejection') {
        this.#oracle.reject(request)
        return reject(this.#error('payment_failed'))
      }
      if (variant === 'failure') return reject(this.#error('upstream_error'))
      const isFenced = [call.key, call.fingerprint ?? ''].some((id) => call.number <= (this.#fences.get(id) ?? 0))
      if (isFenced) {
        this.#world.log(() => 'the shop has fenced this attempt')
        this.#oracle.reject(request)
        return reject(this.#error('order_not_processable'))
      }
      this.#apply(call)
      this.#respond(request, variant, resolve, reject)
    }
    this.#world.plan('effect', 'shop', make, rejections ? ['rejection', ...effectFaults] : effectFaults)
  }

  /** Plans a transaction that locks both documents, evaluates the click, and makes the change. */
  #planCommit(
    call: Call,
    pending: Pending,
    rejections: boolean,
    resolve: () => void,
    reject: (error: unknown) => void,
  ): void {
    const make = (variant: Variant) => {
      try {
        const documents = {
          customer: this.#storage.read(pending.customer),
          named: pending.named === undefined ? undefined : this.#storage.read(pending.named),
        }
        const { state, writes } = pending.plan(documents, this.#world.clock)
        this.#world.log(() => `state in the transaction: ${state}`)
        this.#world.observe(
          this.#world.owner(),
          `${state}${Object.values(documents)
            .map((each) => this.#storage.textOf(each))
            .join('|')}`,
        )
        if (state === 'run') {
          const { failsAs } = pending
          pending.failsAs = 'unknown'
          if (variant === 'rejection') {
            if (failsAs !== 'unknown') pending.failsAs = 'rejected'
            this.#oracle.reject(call.request)
            return reject(this.#error('payment_failed'))
          }
          if (this.#kind === 'outside') this.#apply(call)
        }
        if (variant === 'failure') return reject(this.#error('upstream_error'))
        if (variant !== 'rollback') {
          for (const { key, document, ttlMs } of writes) this.#storage.write(key, document, ttlMs)
          if (state === 'run') this.#commit(call)
        }
        if (variant === 'rollback' || variant === 'lost commit') return this.#world.plan('commit', 'shop', make, [])
        this.#respond(call.request, variant, resolve, reject)
      } catch (error) {
        this.#oracle.reject(call.request)
        reject(error)
      }
    }
    const faults: readonly Fault[] = [...effectFaults, 'rollback', 'lost commit']
    this.#world.plan('commit', 'shop', make, rejections ? ['rejection', ...faults] : faults)
  }

  /** Commits the change with its click. */
  #commit(call: Call): void {
    const { clock } = this.#world
    if (this.#kind === 'transactional') this.#apply(call)
    // A named click that is repeated after a day is a new click with the same key.
    else if (clock < (this.#orders.get(call.key) ?? -Infinity) + dayMs)
      this.#oracle.fail(`${call.request.name} stores a second order under one key`)
    this.#orders.set(call.key, clock)
    this.#oracle.commit(call.request)
  }

  #respond(request: Request, variant: Variant, resolve: () => void, reject: (error: unknown) => void): void {
    if (variant === 'lost response') return reject(this.#error('upstream_error'))
    if (variant === 'caller disconnects') request.hasLeft = true
    const respond = () => {
      this.#oracle.succeed(request)
      resolve()
    }
    if (variant === 'late response') this.#world.plan('response', 'shop', respond, [], this.#world.latest)
    else respond()
  }

  #apply(call: Call): void {
    const { now } = this.#world
    const known = this.#applied.findLast(({ key, at }) => key === call.key && now < at + (honorsMs[this.#kind] ?? 0))
    if (known === undefined) {
      this.#applied.push({ ...call, at: now })
      this.#oracle.apply(call.request)
    } else this.#world.log(() => 'the platform ignores a repeated key')
    this.#world.observe(this.#world.owner(), known === undefined ? 'applied' : 'known')
  }

  #error(code: 'upstream_error' | 'payment_failed' | 'order_not_processable'): Error {
    return new this.#core.StoreError(code)
  }

  #withTimeout<Value>(pending: Promise<Value>, timeoutMs: number, runtime: Runtime): Promise<Value> {
    return new Promise((resolve, reject) => {
      const cancel = runtime.after(timeoutMs, () => {
        pending.catch(() => {})
        reject(new this.#core.StoreTimeout(pending))
      })
      pending.then(resolve, reject).finally(cancel)
    })
  }
}
