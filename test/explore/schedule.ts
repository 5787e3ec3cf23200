import { type Case, dayMs, hourMs, leaseMs, type Plan, timeoutMs, windowsMs } from './case.ts'
import { type Choice, findNextTime, type ScheduledRequest, type Progress } from './choices.ts'
import type { Core, Guard, Mutation } from './core.ts'
import { Oracle } from './oracle.ts'
import { Shop } from './shop.ts'
import { Storage } from './storage.ts'
import { digest, type Process, type Step, type Variant, World } from './world.ts'

/** One schedule of a case. Its choices control the real guard, the storage and a shop. */
export class Schedule {
  readonly world: World
  readonly oracle: Oracle
  readonly storage: Storage
  readonly progress: Progress
  readonly #core: Core
  readonly #shop: Shop
  readonly #guards = new Map<Process, Guard>()

  constructor(core: Core, explored: Case, isTraced: boolean) {
    this.#core = core
    this.world = new World(2 * leaseMs, isTraced)
    this.progress = { explored, world: this.world, scheduled: [], ends: [], used: [], rejections: 0 }
    const { store } = explored
    this.oracle = new Oracle(this.world, {
      timeoutMs,
      isFencing: store !== 'does not fence',
      isTransactional: store === 'transactional',
      commitsClicks: store === 'transactional' || store === 'outside',
      losesClicks: ({ key }) =>
        store === 'plain' ||
        ((store === 'honors' || store === 'outside') && key === undefined) ||
        this.progress.used.includes('partial loss'),
    })
    this.storage = new Storage(core, this.world, (request) => this.oracle.store(request))
    if (explored.isYoung === true) this.storage.becomeYoung()
    this.#shop = new Shop(core, this.world, this.oracle, this.storage, store)
    for (const { process = 'p1' } of explored.requests) this.#process(process)
    for (const plan of explored.requests) this.add(plan)
  }

  add(plan: Plan): ScheduledRequest {
    const { name, endpoint, product = 'p1', customer = 'ada', key, process = 'p1' } = plan
    const windowMs = key === undefined ? (this.progress.explored.windowMs ?? windowsMs[endpoint]) : dayMs
    const click = `${endpoint} ${product} ${customer} ${key ?? ''}`
    const request = { name, customer, click, key, endpoint, windowMs, hasLeft: false }
    const scheduled: ScheduledRequest = {
      name,
      plan,
      request,
      process: this.#process(process),
      trail: 0,
      state: 'planned',
    }
    this.progress.scheduled.push(scheduled)
    return scheduled
  }

  #process(name: string): Process {
    return this.world.processes.find((each) => each.name === name && each.isAlive) ?? this.world.startProcess(name)
  }

  #guardOf(process: Process): Guard {
    const known = this.#guards.get(process)
    if (known !== undefined) return known
    const runtime = this.world.runtimeOf(process)
    const { windowMs } = this.progress.explored
    const windows = windowMs === undefined ? {} : { addProduct: windowMs }
    const guard = this.#core.createGuard(
      { ledger: this.storage.ledger, windows },
      { timeoutMs, scope: 'shop', runtime, onNotice: () => {} },
    )
    this.#guards.set(process, guard)
    return guard
  }

  async take(choice: Choice): Promise<void> {
    const { world } = this
    const [verb = '', name = '', ...rest] = choice.split(' ')
    const step = world.steps.find(({ id }) => verb === 'step' && id === name)
    const what = step === undefined ? choice : describeStep(step, rest.join(' '))
    world.lines?.push(`${String(world.now - 1_000_000).padStart(7)} ${what}`)
    if (step !== undefined) this.#make(step, step.variants.find((each) => each === rest.join(' ')) ?? 'plain')
    else if (verb === 'arrive') this.#arrive(this.find(name))
    else if (verb === 'wait') world.now = findNextTime(this.progress) ?? world.now
    else if (verb === 'timer') {
      const timer = world.nextTimer(this.#process(name))
      if (timer !== undefined) world.fire(timer)
    } else if (verb === 'resume') this.#process(name).pausedUntil = undefined
    else this.#applyFault(choice)
    await new Promise<void>((resolve) => process.nextTick(resolve))
  }

  #make(step: Step, variant: Variant): void {
    if (variant === 'rejection') this.progress.rejections += 1
    else if (variant !== 'plain') {
      this.progress.used.push(variant)
      const isOfLedger = step.kind === 'read' || step.kind === 'write' || variant === 'lost response'
      if (isOfLedger && variant !== 'repeated write') this.oracle.disturb(step.actor.request)
    }
    this.world.make(step, variant)
    if (step.kind === 'effect' || step.kind === 'commit') this.#addEnds()
  }

  #applyFault(choice: Choice): void {
    const { world, oracle, storage, progress } = this
    const fault = progress.explored.faults.find((each) => choice.startsWith(each))
    if (fault === undefined) throw new Error(`Invalid choice ${choice}.`)
    progress.used.push(fault)
    const process = world.processes.find(({ name, isAlive }) => isAlive && choice === `${fault} ${name}`)
    for (const scheduled of progress.scheduled) {
      if (scheduled.state === 'planned' || (process !== undefined && scheduled.process !== process)) continue
      oracle.disturb(scheduled.request)
      if (fault === 'crash') scheduled.state = 'over'
    }
    if (process !== undefined && fault === 'crash') world.crash(process)
    else if (process !== undefined) process.pausedUntil = world.latest
    else if (fault === 'clock forward') {
      world.ahead += leaseMs + 1000
      oracle.hasSteppedForward = true
    } else if (fault === 'clock back') {
      world.ahead -= hourMs
      oracle.setBack()
    } else if (fault === 'unsupported version') storage.setVersion(2)
    else {
      oracle.forget()
      if (fault === 'emptied ledger') storage.forgetAll()
      else storage.forgetCustomers()
    }
  }

  find(name: string): ScheduledRequest {
    const scheduled = this.progress.scheduled.find((each) => each.name === name)
    if (scheduled === undefined) throw new Error(`Request ${name} not found.`)
    return scheduled
  }

  #arrive(scheduled: ScheduledRequest): void {
    const { world, oracle } = this
    const { request, plan } = scheduled
    const process = scheduled.process.isAlive ? scheduled.process : this.#process(scheduled.process.name)
    Object.assign(scheduled, { state: 'running', process })
    world.actor = scheduled
    oracle.arrive(request)
    world.observe(scheduled, 'arrives')
    const runtime = world.runtimeOf(process)
    const { endpoint, product = 'p1', customer = 'ada' } = plan
    const mutation: Mutation = {
      call: {
        method: 'POST',
        path: '',
        query: '',
        header: (name) => (name === 'idempotency-key' ? request.key : plan.apiKey),
        text: () => Promise.resolve(''),
        hasDisconnected: () => request.hasLeft,
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
      () => this.#respond(scheduled, '200'),
      (error: unknown) =>
        this.#respond(
          scheduled,
          error instanceof Error && 'code' in error ? String(error.code) : 'internal_error',
          error,
        ),
    )
    this.#addEnds()
  }

  #respond(scheduled: ScheduledRequest, code: string, error?: unknown): void {
    if (code === 'internal_error') this.world.log(() => (error instanceof Error ? (error.stack ?? '') : String(error)))
    this.world.actor = scheduled
    this.world.observe(scheduled, code)
    const respond = () => {
      scheduled.state = 'over'
      this.oracle.respond(scheduled.request, code)
      this.#addEnds()
    }
    this.world.plan('respond', scheduled.name, respond)
  }

  /** Adds the times just before, at and just after the end of each period in the case. */
  #addEnds(): void {
    const { times = ['lease', 'window'], windowMs = 10_000 } = this.progress.explored
    for (const time of times) {
      const end = this.world.now + { lease: leaseMs, window: windowMs, late: 600_000, day: dayMs }[time]
      if (!this.progress.ends.includes(end)) this.progress.ends.push(end - 1, end, end + 1)
    }
  }

  /** Returns a digest of the state that affects later steps. */
  digest(): number {
    const { world } = this
    let text = `${world.now},${world.ahead},${this.progress.used.join()},${this.progress.rejections},${this.progress.ends.filter((end) => end > world.now).join()}`
    for (const { isAlive, pausedUntil } of world.processes) text += isAlive ? `a${pausedUntil}` : 'd'
    for (const scheduled of this.progress.scheduled) {
      const isDone =
        scheduled.state === 'over' && ![...world.steps, ...world.timers].some(({ actor }) => actor === scheduled)
      text += isDone ? ';over' : `;${scheduled.state}${scheduled.trail}`
    }
    for (const { id, lateUntil } of world.steps) text += lateUntil === undefined ? '' : `;${id}${lateUntil}`
    return digest(`${text}\n${this.storage.text()}\n${this.#shop.text()}\n${this.oracle.text()}`)
  }

  /** Returns whether choices of two requests commute: they use different ledger documents, or both only read. */
  areIndependent(one: Choice, other: Choice): boolean {
    const [first, second] = [this.#ledgerStep(one), this.#ledgerStep(other)]
    if (first === undefined || second === undefined || first.actor === second.actor) return false
    return first.on !== second.on || (first.kind === 'read' && second.kind === 'read')
  }

  #ledgerStep(choice: Choice): Step | undefined {
    const step = this.world.steps.find(({ id }) => choice === `step ${id}`)
    return step?.kind === 'read' || step?.kind === 'write' ? step : undefined
  }
}

function describeStep({ actor, kind, on }: Step, variant: string): string {
  return `${actor.name} (${actor.process.name}): ${kind} ${on}${variant === '' ? '' : ` (${variant})`}`
}
