import type { Core, Guard, Mutation } from './core.ts'
import { Oracle, type Request } from './oracle.ts'
import { Shop, type StoreKind } from './shop.ts'
import { Storage } from './storage.ts'
import { type Actor, digest, type Fault, type Process, type Step, type Variant, World } from './world.ts'

const secondMs = 1000
const hourMs = 60 * 60 * secondMs
const dayMs = 24 * hourMs
export const timeoutMs = 100
const leaseMs = timeoutMs + 5000
const settings = { timeoutMs, scope: 'shop' }
const windowsMs = { addProduct: 10_000, undoAddProduct: 10_000, delaySubscription: 10_000, sendNow: 600_000 } as const

/** A request of a case. */
export interface Plan {
  readonly name: string
  readonly endpoint: keyof typeof windowsMs
  readonly product?: string
  readonly customer?: string
  readonly key?: string
  /** Where it arrives; a process that has crashed is replaced. */
  readonly process?: string
  /** Requests that have got their responses, or were lost, before it arrives. */
  readonly after?: readonly string[]
}

/** A small case, of which every schedule is explored. */
export interface Case {
  readonly name: string
  readonly store: StoreKind
  readonly requests: readonly Plan[]
  readonly faults: readonly Fault[]
  /** Maximum faults of one schedule; default 1. */
  readonly most?: 1 | 2
  /** Maximum rejections of the store. */
  readonly rejections?: number
  /** Which ends of a time a request may arrive around; default the lease and the window. */
  readonly times?: readonly ('lease' | 'window' | 'late' | 'day')[]
  readonly windowMs?: number
  /** Whether the ledger may have forgotten clicks from the start. */
  readonly isYoung?: boolean
  /** Why the case has no fault. */
  readonly faultless?: string
}

/** One choice of a schedule, as text. */
type Choice = string

interface Going extends Actor {
  readonly plan: Plan
  readonly request: Request
  state: 'planned' | 'running' | 'over'
}

/** One schedule of a case: the real guard, its storage and a shop, moved by choices. */
export class Schedule {
  readonly world: World
  readonly oracle: Oracle
  readonly #case: Case
  readonly #core: Core
  readonly #storage: Storage
  readonly #shop: Shop
  readonly #going: Going[]
  readonly #guards = new Map<Process, Guard>()
  readonly #ends: number[] = []
  readonly #used: Fault[] = []
  #rejections = 0
  #notices = 0

  constructor(core: Core, explored: Case, isTraced: boolean) {
    this.#case = explored
    this.#core = core
    this.world = new World(2 * leaseMs, isTraced)
    const { store } = explored
    this.oracle = new Oracle(this.world, {
      timeoutMs,
      isFencing: store !== 'does not fence',
      keeps: store === 'keeps',
      losesClicks: ({ key }) =>
        store === 'plain' || (store === 'honours' && key === undefined) || this.#used.includes('partial loss'),
    })
    this.#storage = new Storage(core, this.world, (actor) => {
      const going = this.#going.find((each) => each === actor)
      if (going !== undefined) this.oracle.store(going.request)
    })
    if (explored.isYoung === true) this.#storage.becomeYoung()
    this.#shop = new Shop(core, this.world, this.oracle, this.#storage, store)
    for (const { process = 'p1' } of explored.requests) this.#process(process)
    this.#going = explored.requests.map((plan) => this.#goingOf(plan))
  }

  #goingOf(plan: Plan): Going {
    const { name, endpoint, product = 'p1', customer = 'ada', key, process = 'p1' } = plan
    const windowMs = key === undefined ? (this.#case.windowMs ?? windowsMs[endpoint]) : dayMs
    const click = `${endpoint} ${product} ${customer} ${key ?? ''}`
    const request = { name, customer, click, key, endpoint, windowMs, hasLeft: false }
    return { name, plan, request, process: this.#process(process), trail: 0, state: 'planned' }
  }

  #process(name: string): Process {
    return this.world.processes.find((each) => each.name === name && each.isAlive) ?? this.world.startProcess(name)
  }

  #guardOf(process: Process): Guard {
    const known = this.#guards.get(process)
    if (known !== undefined) return known
    const runtime = this.world.runtimeOf(process)
    const { windowMs } = this.#case
    const windows =
      windowMs === undefined
        ? {}
        : { addProduct: windowMs, undoAddProduct: windowMs, delaySubscription: windowMs, sendNow: windowMs }
    const guard = this.#core.createGuard(
      { ledger: this.#storage.ledger, windows },
      { ...settings, runtime, onNotice: () => (this.#notices += 1) },
    )
    this.#guards.set(process, guard)
    return guard
  }

  /** All that may happen next. */
  choices(): readonly Choice[] {
    const { steps, processes, timers } = this.world
    const choices: Choice[] = []
    const canFail = this.#used.length < (this.#case.most ?? 1)
    // A ledger that is emptied twice during one attempt cannot tell.
    const possible = this.#case.faults.filter((fault) => fault !== 'emptied ledger' || !this.#used.includes(fault))
    const faults = canFail ? possible : []
    let isBusy = false
    for (const step of steps) {
      const isLate = step.lateUntil !== undefined
      if (step.actor.process.pausedUntil !== undefined && !isLate) continue
      choices.push(`step ${step.id}`)
      if (isLate) continue
      isBusy = true
      for (const variant of step.variants)
        if (variant === 'rejection' ? this.#rejections < (this.#case.rejections ?? 0) : isOneOf(faults, variant))
          choices.push(`step ${step.id} ${variant}`)
    }
    for (const process of processes) {
      if (!process.isAlive) continue
      if (process.pausedUntil !== undefined) {
        choices.push(`resume ${process.name}`)
        continue
      }
      const next = this.world.nextTimer(process)
      if (next !== undefined && next.at <= this.world.now) {
        isBusy = true
        choices.push(`timer ${process.name}`)
      }
      const isAtWork =
        steps.some(({ actor }) => actor.process === process) || timers.some(({ actor }) => actor.process === process)
      if (isAtWork && faults.includes('crash')) choices.push(`crash ${process.name}`)
      if (isAtWork && faults.includes('pause')) choices.push(`pause ${process.name}`)
    }
    const arriving = new Set<string>()
    for (const { plan, state } of this.#going) {
      if (state !== 'planned') continue
      const twin = JSON.stringify({ ...plan, name: '' })
      const isDue = (plan.after ?? []).every((name) =>
        this.#going.some((each) => each.name === name && each.state === 'over'),
      )
      // Identical requests are interchangeable: they arrive in order.
      if (isDue && !arriving.has(twin)) choices.push(`arrive ${plan.name}`)
      arriving.add(twin)
    }
    if (this.#going.some(({ state }) => state !== 'planned') && choices.length > 0)
      for (const fault of faults)
        if (
          fault === 'clock back' ||
          fault === 'clock forward' ||
          fault === 'emptied ledger' ||
          fault === 'partial loss'
        )
          choices.push(fault)
    if (!isBusy && this.#nextTime() !== undefined) choices.push('wait')
    return choices
  }

  #nextTime(): number | undefined {
    const { now, steps, processes } = this.world
    const held = [
      ...steps.map(({ lateUntil }) => lateUntil),
      ...processes.map(({ pausedUntil }) => pausedUntil),
    ].filter((until) => until !== undefined)
    if (held.some((until) => until <= now)) return undefined
    let next = this.world.nextTimer()?.at
    if (held.length > 0 || this.#going.some(({ state }) => state === 'planned'))
      for (const end of [...this.#ends, ...held]) if (end > now && end < (next ?? Infinity)) next = end
    return next
  }

  /** Does what was chosen. */
  async take(choice: Choice): Promise<void> {
    const { world } = this
    world.lines?.push(`${String(world.now - 1_000_000).padStart(7)} ${this.#describe(choice)}`)
    const [verb = '', name = '', ...rest] = choice.split(' ')
    if (verb === 'step') this.#make(name, toVariant(rest.join(' ')))
    else if (verb === 'arrive') this.#arrive(this.#find(name))
    else if (verb === 'wait') world.now = this.#nextTime() ?? world.now
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
    if (variant === 'rejection') this.#rejections += 1
    else if (variant !== 'plain') {
      this.#used.push(variant)
      const isOfLedger = step.kind === 'read' || step.kind === 'write' || variant === 'lost answer'
      if (isOfLedger && variant !== 'repeated write') this.#disturb(step.actor)
    }
    const kind = step.kind
    this.world.make(step, variant)
    if (kind === 'effect') this.#addEnds()
  }

  #disturb(actor: Actor): void {
    const going = this.#going.find((each) => each === actor)
    if (going !== undefined) this.oracle.disturb(going.request)
  }

  #strike(choice: Choice, name: string): void {
    const { world } = this
    const fault = toVariant(choice.startsWith('crash') ? 'crash' : choice.startsWith('pause') ? 'pause' : choice)
    if (fault === 'plain' || fault === 'rejection') throw new Error(`Unknown choice ${choice}.`)
    this.#used.push(fault)
    if (fault === 'crash' || fault === 'pause') {
      const process = this.#process(name)
      for (const going of this.#going) if (going.process === process && going.state !== 'planned') this.#disturb(going)
      if (fault === 'pause') process.pausedUntil = world.latest
      else {
        world.crash(process)
        for (const going of this.#going)
          if (going.process === process && going.state === 'running') going.state = 'over'
      }
      return
    }
    for (const going of this.#going) if (going.state !== 'planned') this.#disturb(going)
    if (fault === 'clock forward') {
      world.ahead += leaseMs + secondMs
      this.oracle.hasSteppedForward = true
    }
    if (fault === 'clock back') {
      world.ahead -= hourMs
      this.oracle.setBack()
    }
    if (fault === 'emptied ledger' || fault === 'partial loss') {
      this.oracle.hasForgotten = true
      if (fault === 'emptied ledger') this.#storage.forgetAll()
      else this.#storage.forgetCustomers()
    }
  }

  #find(name: string): Going {
    const going = this.#going.find((each) => each.name === name)
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
      run: this.#shop.change(request, timeoutMs, runtime, (this.#case.rejections ?? 0) > 0),
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
    const { times = ['lease', 'window'], windowMs = 10_000 } = this.#case
    for (const time of times) {
      const end = this.world.now + { lease: leaseMs, window: windowMs, late: 10 * 60 * secondMs, day: dayMs }[time]
      if (!this.#ends.includes(end)) this.#ends.push(end - 1, end, end + 1)
    }
  }

  /** A digest of all that can make a difference from here on. */
  digest(): number {
    const { world } = this
    let text = `${world.now},${world.ahead},${this.#used.join()},${this.#rejections},${this.#ends.filter((end) => end > world.now).join()}`
    for (const { isAlive, pausedUntil } of world.processes) text += isAlive ? `a${pausedUntil}` : 'd'
    for (const going of this.#going) {
      const isDone = going.state === 'over' && ![...world.steps, ...world.timers].some(({ actor }) => actor === going)
      text += isDone ? ';over' : `;${going.state}${going.trail}`
    }
    for (const { id, lateUntil } of world.steps) text += lateUntil === undefined ? '' : `;${id}${lateUntil}`
    return digest(`${text}\n${this.#storage.text()}\n${this.#shop.text()}\n${this.oracle.text()}`)
  }

  /**
   * Without further faults, every click ends within a day, and then a repeat at once has no effect, and one after the window has.
   */
  async end(): Promise<void> {
    const { world } = this
    for (const { name, pausedUntil, isAlive } of world.processes)
      if (isAlive && pausedUntil !== undefined) await this.take(`resume ${name}`)
    await this.#runOn()
    const startedAt = world.now
    for (const request of this.#unsure ? [] : this.oracle.openClicks()) {
      const { plan } = this.#find(request.name)
      for (let turn = 1; ; turn++) {
        const again = await this.#again(plan, `${plan.name}+${turn}`)
        if (this.oracle.isEnded(again)) break
        if (world.now > startedAt + dayMs + leaseMs) return this.oracle.fail(`${plan.name} does not end within a day`)
        world.now += turn < 3 ? leaseMs : turn < 5 ? hourMs : dayMs - 2 * leaseMs - 2 * hourMs
      }
    }
    const isQuiet = this.#used.every((fault) => fault === 'repeated write')
    for (const { code, name } of isQuiet ? this.oracle.responses() : [])
      if (code === 'store_unavailable' && !this.#overlaps) this.oracle.fail(`${name} gets 503, and nothing has failed`)
    const clicks = new Map(this.#going.map(({ request, plan }) => [request.click, plan]))
    for (const plan of clicks.values()) {
      const again = await this.#again(plan, `${plan.name}+again`)
      if (isQuiet && !this.oracle.isEnded(again)) this.oracle.fail(`${again.name} fails, and nothing has failed`)
      world.now += again.windowMs
      await this.#again(plan, `${plan.name}+later`)
    }
  }

  /** Whether a request may meet another change that has not ended. */
  get #overlaps(): boolean {
    return new Set(this.#going.map(({ request }) => request.click)).size > 1
  }

  get #unsure(): boolean {
    return this.#case.store === 'unsure'
  }

  async #again(plan: Plan, name: string): Promise<Request> {
    const going = this.#goingOf({ ...plan, name, process: 'later', after: [] })
    this.#going.push(going)
    await this.take(`arrive ${name}`)
    await this.#runOn()
    return going.request
  }

  /** Takes the only way without faults until all is quiet. */
  async #runOn(): Promise<void> {
    for (let made = 0; made < 5000; made++) {
      const { steps } = this.world
      const next = steps.find(({ lateUntil }) => lateUntil === undefined) ?? steps[0]
      if (next !== undefined) await this.take(`step ${next.id}`)
      else {
        const timer = this.world.nextTimer()
        if (timer === undefined) return
        this.world.now = Math.max(this.world.now, timer.at)
        await this.take(`timer ${timer.actor.process.name}`)
      }
    }
    this.oracle.fail('nothing comes to an end')
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

function isOneOf(faults: readonly Fault[], variant: Variant): boolean {
  return faults.some((each) => each === variant)
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
