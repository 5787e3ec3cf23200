import type { Core, Mutation, Runtime } from './core.ts'
import type { Request } from './history.ts'
import type { Oracle } from './oracle.ts'
import type { Storage } from './storage.ts'
import type { Fault, Variant, World } from './world.ts'

/** Guarantees that a store makes about repeated changes. */
export type StoreKind =
  /** Guarantees nothing. */
  | 'plain'
  /** Ignores a repeated platform key. */
  | 'honors'
  /** Has `reconcile`. After `reconcile` returns `not_applied`, the change can never be applied. */
  | 'fences'
  /** Has `reconcile`. A pending attempt can still be applied after `reconcile` returns `not_applied`. */
  | 'does not fence'
  /** Has `reconcile`, which always returns `unknown`. */
  | 'unsure'
  /** Stores clicks in the transaction of the change. */
  | 'transactional'

interface Call {
  readonly number: number
  readonly request: Request
  readonly key: string
  readonly fingerprint: string | undefined
}

type Reconcile = Mutation['reconcile']

/** The merchant's shop. Each change is a step, and the responses follow the guarantees of the store kind. */
export class Shop {
  readonly #core: Core
  readonly #world: World
  readonly #oracle: Oracle
  readonly #storage: Storage
  readonly #kind: StoreKind
  readonly #applied: Call[] = []
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

  /** Returns the state that affects later changes, for the digest. */
  text(): string {
    return `${this.#applied.map(({ key }) => key).join()}|${[...this.#fences].join()}`
  }

  get store(): Mutation['store'] {
    if (this.#kind === 'transactional') return { ledger: this.#storage.ledger }
    if (this.#kind === 'honors') return { honoursIdempotencyKey: true }
    return this.#kind === 'plain' ? {} : { reconcile: () => Promise.reject(new Error('The mutation reconciles.')) }
  }

  get method(): object {
    return this.#kind === 'transactional' ? this.#core.storesClicks(() => Promise.resolve()) : {}
  }

  /** Returns a function that calls the store's method for one request, with a timeout. */
  change(request: Request, timeoutMs: number, runtime: Runtime, rejections: boolean): Mutation['run'] {
    return (key, { pending, identity }) => {
      const { actor } = this.#world
      this.#oracle.start(request, key)
      const call = { number: ++this.#calls, request, key, fingerprint: identity?.fingerprint }
      const change = new Promise<void>((resolve, reject) => {
        if (pending !== undefined) this.#planCommit(call, pending, resolve, reject)
        else this.#planEffect(call, rejections, resolve, reject)
      })
      this.#world.actor = actor
      return this.#withTimeout(change, timeoutMs, runtime)
    }
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
    const faults: readonly Fault[] = ['lost response', 'failure', 'late change', 'late response', 'caller disconnects']
    this.#world.plan('effect', 'shop', make, rejections ? ['rejection', ...faults] : faults)
  }

  /** Plans a transaction that locks both documents, evaluates the click, and makes the change. */
  #planCommit(
    call: Call,
    pending: NonNullable<Parameters<Mutation['run']>[1]['pending']>,
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
        if (variant !== 'rollback') {
          for (const { key, document, ttlMs } of writes) this.#storage.write(key, document, ttlMs)
          if (state === 'run') this.#apply(call)
        }
        if (variant === 'rollback' || variant === 'lost commit') return this.#world.plan('commit', 'shop', make, [])
        this.#respond(call.request, variant, resolve, reject)
      } catch (error) {
        this.#oracle.reject(call.request)
        reject(error)
      }
    }
    this.#world.plan('commit', 'shop', make, [
      'lost response',
      'late change',
      'late response',
      'caller disconnects',
      'rollback',
      'lost commit',
    ])
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
    const known = this.#kind === 'honors' ? this.#applied.find(({ key }) => key === call.key) : undefined
    if (known === undefined) {
      this.#applied.push(call)
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
