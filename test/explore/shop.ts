import type { Core, Mutation, Runtime } from './core.ts'
import type { Request } from './history.ts'
import type { Oracle } from './oracle.ts'
import type { Storage } from './storage.ts'
import type { Fault, Variant, World } from './world.ts'

/** A kind of store. */
export type StoreKind =
  /** Promises nothing. */
  | 'plain'
  /** Does nothing if it gets a platform key again. */
  | 'honours'
  /** Has `reconcile`; what it calls `not_applied` can never apply. */
  | 'fences'
  /** Has `reconcile`, and an attempt that is under way may apply after `not_applied`. */
  | 'does not fence'
  /** Has `reconcile`, which never knows. */
  | 'unsure'
  /** Keeps its clicks in the transaction of the change. */
  | 'keeps'

interface Call {
  readonly number: number
  readonly request: Request
  readonly key: string
  readonly fingerprint: string | undefined
}

type Reconcile = Mutation['reconcile']

/** The merchant's shop: changes are steps, and everything is answered as the store's kind promises. */
export class Shop {
  readonly #core: Core
  readonly #world: World
  readonly #oracle: Oracle
  readonly #storage: Storage
  readonly #kind: StoreKind
  readonly #applied: Call[] = []
  /** Calls up to a number that can no longer apply, by platform key or fingerprint. */
  readonly #fences = new Map<string, number>()
  #calls = 0

  constructor(core: Core, world: World, oracle: Oracle, storage: Storage, kind: StoreKind) {
    this.#core = core
    this.#world = world
    this.#oracle = oracle
    this.#storage = storage
    this.#kind = kind
  }

  /** What decides about later changes, for the digest of a state. */
  text(): string {
    return `${this.#applied.map(({ key }) => key).join()}|${[...this.#fences].join()}`
  }

  get store(): Mutation['store'] {
    if (this.#kind === 'keeps') return { ledger: this.#storage.ledger }
    if (this.#kind === 'honours') return { honoursIdempotencyKey: true }
    return this.#kind === 'plain' ? {} : { reconcile: () => Promise.reject(new Error('The mutation reconciles.')) }
  }

  get method(): object {
    return this.#kind === 'keeps' ? this.#core.keepsClicks(() => Promise.resolve()) : {}
  }

  /** Calls the store's method for one request, with the time of the request. */
  change(request: Request, timeoutMs: number, runtime: Runtime, rejections: boolean): Mutation['run'] {
    return (key, { pending, identity }) => {
      const { actor } = this.#world
      this.#oracle.start(request, key)
      const call = { number: ++this.#calls, request, key, fingerprint: identity?.fingerprint }
      const made = new Promise<void>((resolve, reject) => {
        if (pending !== undefined) this.#planCommit(call, pending, resolve, reject)
        else this.#planEffect(call, rejections, resolve, reject)
      })
      this.#world.actor = actor
      return this.#within(made, timeoutMs, runtime)
    }
  }

  /** Answers how earlier attempts ended. */
  reconcile(request: Request, runtime: Runtime): Reconcile {
    return (facts, timeoutMs) => {
      const answered = new Promise<Awaited<ReturnType<Reconcile>>>((resolve, reject) => {
        const answer = (variant: Variant) => {
          if (variant === 'lost answer') return reject(this.#error('upstream_error'))
          const found = this.#find(facts)
          this.#oracle.reconcile(request, found)
          this.#world.note(() => `reconcile: ${found}`)
          this.#world.see(this.#world.owner(), found)
          resolve(found)
        }
        this.#world.plan('reconcile', 'shop', answer, ['lost answer'])
      })
      return this.#within(answered, timeoutMs, runtime)
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
        this.#world.note(() => 'the shop has fenced this attempt off')
        this.#oracle.reject(request)
        return reject(this.#error('order_not_processable'))
      }
      this.#apply(call)
      this.#answer(request, variant, resolve, reject)
    }
    const faults: readonly Fault[] = ['lost answer', 'failure', 'late change', 'late answer', 'caller leaves']
    this.#world.plan('effect', 'shop', make, rejections ? ['rejection', ...faults] : faults)
  }

  /** Plans a transaction that locks both documents, judges the click, and makes the change. */
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
        const { state, writes } = pending.keep(documents, this.#world.clock)
        this.#world.note(() => `the transaction judges: ${state}`)
        this.#world.see(
          this.#world.owner(),
          `${state}${Object.values(documents)
            .map((each) => this.#storage.textOf(each))
            .join('|')}`,
        )
        if (variant !== 'rollback') {
          for (const { key, document, keepMs } of writes) this.#storage.write(key, document, keepMs)
          if (state === 'run') this.#apply(call)
        }
        if (variant === 'rollback' || variant === 'lost commit') return this.#world.plan('commit', 'shop', make, [])
        this.#answer(call.request, variant, resolve, reject)
      } catch (error) {
        this.#oracle.reject(call.request)
        reject(error)
      }
    }
    this.#world.plan('commit', 'shop', make, [
      'lost answer',
      'late change',
      'late answer',
      'caller leaves',
      'rollback',
      'lost commit',
    ])
  }

  /** Answers after the change was made. */
  #answer(request: Request, variant: Variant, resolve: () => void, reject: (error: unknown) => void): void {
    if (variant === 'lost answer') return reject(this.#error('upstream_error'))
    if (variant === 'caller leaves') request.hasLeft = true
    const answer = () => {
      this.#oracle.answer(request)
      resolve()
    }
    if (variant === 'late answer') this.#world.plan('answer', 'shop', answer, [], this.#world.latest)
    else answer()
  }

  #apply(call: Call): void {
    const known = this.#kind === 'honours' ? this.#applied.find(({ key }) => key === call.key) : undefined
    if (known === undefined) {
      this.#applied.push(call)
      this.#oracle.apply(call.request)
    } else this.#world.note(() => 'the platform has made this change before')
    this.#world.see(this.#world.owner(), known === undefined ? 'applied' : 'known')
  }

  #error(code: 'upstream_error' | 'payment_failed' | 'order_not_processable'): Error {
    return new this.#core.StoreError(code)
  }

  #within<Value>(made: Promise<Value>, timeoutMs: number, runtime: Runtime): Promise<Value> {
    return new Promise((resolve, reject) => {
      const cancel = runtime.after(timeoutMs, () => {
        made.catch(() => {})
        reject(new this.#core.StoreTimeout(made))
      })
      made.then(resolve, reject).finally(cancel)
    })
  }
}
