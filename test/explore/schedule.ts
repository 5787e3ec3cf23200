import { type Case, dayMs, hourMs, leaseMs, type Plan, timeoutMs, windowsMs } from './case.ts'
import { type Choice, findNextTime, type Going, type Progress } from './choices.ts'
import type { Core, Guard, Mutation } from './core.ts'
import { Oracle } from './oracle.ts'
import { Shop } from './shop.ts'
import { Storage } from './storage.ts'
import { type Actor, digest, type Process, type Step, type Variant, World } from './world.ts'

/** One schedule of a case: the real guard, its storage and a shop, moved by choices. */
export class Schedule {
  readonly world: World
  readonly oracle: Oracle
  readonly progress: Progress
  readonly #core: Core
  readonly #storage: Storage
  readonly #shop: Shop
  readonly #guards = new Map<Process, Guard>()

  constructor(core: Core, explored: Case, isTraced: boolean) {
    this.#core = core
    this.world = new World(2 * leaseMs, isTraced)
    this.progress = { explored, world: this.world, going: [], ends: [], used: [], rejections: 0 }
    const { store } = explored
    this.oracle = new Oracle(this.world, {
      timeoutMs,
      isFencing: store !== 'does not fence',
      keeps: store === 'keeps',
      losesClicks: ({ key }) =>
        store === 'plain' || (store === 'honours' && key === undefined) || this.progress.used.includes('partial loss'),
    })
    this.#storage = new Storage(core, this.world, (actor) => {
      const going = this.progress.going.find((each) => each === actor)
      if (going !== undefined) this.oracle.store(going.request)
    })
    if (explored.isYoung === true) this.#storage.becomeYoung()
    this.#shop = new Shop(core, this.world, this.oracle, this.#storage, store)
    for (const { process = 'p1' } of explored.requests) this.#process(process)
    for (const plan of explored.requests) this.add(plan)
  }

  /** Plans a request. */
  add(plan: Plan): Going {
    const { name, endpoint, product = 'p1', customer = 'ada', key, process = 'p1' } = plan
    const windowMs = key === undefined ? (this.progress.explored.windowMs ?? windowsMs[endpoint]) : dayMs
    const click = `${endpoint} ${product} ${customer} ${key ?? ''}`
    const request = { name, customer, click, key, endpoint, windowMs, hasLeft: false }
    const going: Going = { name, plan, request, process: this.#process(process), trail: 0, state: 'planned' }
    this.progress.going.push(going)
    return going
  }

  #process(name: string): Process {
    return this.world.processes.find((each) => each.name === name && each.isAlive) ?? this.world.startProcess(name)
  }

  #guardOf(process: Process): Guard {
    const known = this.#guards.get(process)
    if (known !== undefined) return known
    const runtime = this.world.runtimeOf(process)
    const { windowMs } = this.progress.explored
    const windows =
      windowMs === undefined
        ? {}
        : { addProduct: windowMs, undoAddProduct: windowMs, delaySubscription: windowMs, sendNow: windowMs }
    const guard = this.#core.createGuard(
      { ledger: this.#storage.ledger, windows },
      { timeoutMs, scope: 'shop', runtime, onNotice: () => {} },
    )
    this.#guards.set(process, guard)
    return guard
  }

  /** Does what was chosen. */
  async take(choice: Choice): Promise<void> {
    const { world } = this
    world.lines?.push(`${String(world.now - 1_000_000).padStart(7)} ${this.#describe(choice)}`)
    const [verb = '', name = '', ...rest] = choice.split(' ')
    if (verb === 'step') this.#make(name, toVariant(rest.join(' ')))
    else if (verb === 'arrive') this.#arrive(this.find(name))
    else if (verb === 'wait') world.now = findNextTime(this.progress) ?? world.now
    else if (verb === 'timer') {
      const timer = world.nextTimer(this.#process(name))
      if (timer !== undefined) world.fire(timer)
    } else if (verb === 'resume') this.#process(name).pausedUntil = undefined
    else this.#strike(choice, name)
    await settled()
  }

  #make(id: string, variant: Variant): void {
    const step = this.world.steps.find((each) => each.id === id)
    if (step === undefined) throw new Error(`No step ${id}.`)
    if (variant === 'rejection') this.progress.rejections += 1
    else if (variant !== 'plain') {
      this.progress.used.push(variant)
      const isOfLedger = step.kind === 'read' || step.kind === 'write' || variant === 'lost answer'
      if (isOfLedger && variant !== 'repeated write') this.#disturb(step.actor)
    }
    const kind = step.kind
    this.world.make(step, variant)
    if (kind === 'effect') this.#addEnds()
  }

  #disturb(actor: Actor): void {
    const going = this.progress.going.find((each) => each === actor)
    if (going !== undefined) this.oracle.disturb(going.request)
  }

  #strike(choice: Choice, name: string): void {
    const { world } = this
    const fault = toVariant(choice.startsWith('crash') ? 'crash' : choice.startsWith('pause') ? 'pause' : choice)
    if (fault === 'plain' || fault === 'rejection') throw new Error(`Unknown choice ${choice}.`)
    this.progress.used.push(fault)
    if (fault === 'crash' || fault === 'pause') {
      const process = this.#process(name)
      for (const going of this.progress.going)
        if (going.process === process && going.state !== 'planned') this.#disturb(going)
      if (fault === 'pause') process.pausedUntil = world.latest
      else {
        world.crash(process)
        for (const going of this.progress.going)
          if (going.process === process && going.state === 'running') going.state = 'over'
      }
      return
    }
    for (const going of this.progress.going) if (going.state !== 'planned') this.#disturb(going)
    if (fault === 'clock forward') {
      world.ahead += leaseMs + 1000
      this.oracle.hasSteppedForward = true
    }
    if (fault === 'clock back') {
      world.ahead -= hourMs
      this.oracle.setBack()
    }
    if (fault === 'emptied ledger' || fault === 'partial loss') {
      this.oracle.forget()
      if (fault === 'emptied ledger') this.#storage.forgetAll()
      else this.#storage.forgetCustomers()
    }
  }

  find(name: string): Going {
    const going = this.progress.going.find((each) => each.name === name)
    if (going === undefined) throw new Error(`No request ${name}.`)
    return going
  }

  #arrive(going: Going): void {
    const { world, oracle } = this
    const { request, plan } = going
    const process = going.process.isAlive ? going.process : this.#process(going.process.name)
    Object.assign(going, { state: 'running', process })
    world.actor = going
    oracle.arrive(request)
    world.see(going, 'arrives')
    const runtime = world.runtimeOf(process)
    const { endpoint, product = 'p1', customer = 'ada' } = plan
    const mutation: Mutation = {
      call: {
        method: 'POST',
        path: '',
        query: '',
        header: (name) => (name === 'idempotency-key' ? request.key : undefined),
        text: () => Promise.resolve(''),
        hasLeft: () => request.hasLeft,
      },
      name: endpoint,
      input: { email: `${customer}@example.com`, product_id: product },
      testMode: false,
      store: this.#shop.store,
      method: this.#shop.method,
      run: this.#shop.change(request, timeoutMs, runtime, (this.progress.explored.rejections ?? 0) > 0),
      reconcile: this.#shop.reconcile(request, runtime),
      onLedgerError: () => {},
    }
    this.#guardOf(process)(mutation).then(
      () => this.#respond(going, '200'),
      (error: unknown) =>
        this.#respond(going, error instanceof Error && 'code' in error ? String(error.code) : 'internal_error', error),
    )
    this.#addEnds()
  }

  #respond(going: Going, code: string, error?: unknown): void {
    if (code === 'internal_error') this.world.note(() => (error instanceof Error ? (error.stack ?? '') : String(error)))
    this.world.actor = going
    this.world.see(going, code)
    const respond = () => {
      going.state = 'over'
      this.oracle.respond(going.request, code)
      this.#addEnds()
    }
    this.world.plan('respond', going.name, respond)
  }

  /** Adds the times around which a request may arrive. */
  #addEnds(): void {
    const { times = ['lease', 'window'], windowMs = 10_000 } = this.progress.explored
    for (const time of times) {
      const end = this.world.now + { lease: leaseMs, window: windowMs, late: 600_000, day: dayMs }[time]
      if (!this.progress.ends.includes(end)) this.progress.ends.push(end - 1, end, end + 1)
    }
  }

  /** A digest of all that can make a difference from here on. */
  digest(): number {
    const { world } = this
    let text = `${world.now},${world.ahead},${this.progress.used.join()},${this.progress.rejections},${this.progress.ends.filter((end) => end > world.now).join()}`
    for (const { isAlive, pausedUntil } of world.processes) text += isAlive ? `a${pausedUntil}` : 'd'
    for (const going of this.progress.going) {
      const isDone = going.state === 'over' && ![...world.steps, ...world.timers].some(({ actor }) => actor === going)
      text += isDone ? ';over' : `;${going.state}${going.trail}`
    }
    for (const { id, lateUntil } of world.steps) text += lateUntil === undefined ? '' : `;${id}${lateUntil}`
    return digest(`${text}\n${this.#storage.text()}\n${this.#shop.text()}\n${this.oracle.text()}`)
  }

  /** Whether two choices may be swapped: plain steps of two requests on two documents, or two reads. */
  areIndependent(one: Choice, other: Choice): boolean {
    const [first, second] = [this.#ledgerStep(one), this.#ledgerStep(other)]
    if (first === undefined || second === undefined || first.actor === second.actor) return false
    return first.on !== second.on || (first.kind === 'read' && second.kind === 'read')
  }

  #ledgerStep(choice: Choice): Step | undefined {
    const step = this.world.steps.find(({ id }) => choice === `step ${id}`)
    return step?.kind === 'read' || step?.kind === 'write' ? step : undefined
  }

  #describe(choice: Choice): string {
    const [verb, id] = choice.split(' ')
    const step = verb === 'step' ? this.world.steps.find((each) => each.id === id) : undefined
    if (step === undefined) return choice
    const how = choice.split(' ').slice(2).join(' ')
    return `${step.actor.name} (${step.actor.process.name}): ${step.kind} ${step.on}${how === '' ? '' : ` — ${how}`}`
  }
}

const variants: readonly Variant[] = [
  'rejection',
  'crash',
  'pause',
  'lost answer',
  'repeated write',
  'failure',
  'late write',
  'late change',
  'late read',
  'late answer',
  'caller leaves',
  'rollback',
  'lost commit',
  'clock forward',
  'clock back',
  'emptied ledger',
  'partial loss',
]

function toVariant(text: string): Variant {
  return variants.find((each) => each === text) ?? 'plain'
}

/** Resolves when all microtasks have run. */
function settled(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve))
}
