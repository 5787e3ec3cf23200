import { type BenchDatabase, onEach } from '../databases.ts'
import { control, takeTurns, type Timed } from '../measure/alternate.ts'
import { type Load, openLoad } from '../measure/load.ts'
import { type BenchProcess, compile, leaveProcessor, startProcess } from '../measure/processes.ts'
import { post } from '../measure/requests.ts'
import type { Effort, Section } from '../report.ts'
import { filling, openShop, rowsOf } from './click.ts'

/** Number of clicks in a batch. */
const batch = 500

const variants = [
  { name: 'without history', withHistory: false },
  { name: control, withHistory: false },
  { name: 'with history', withHistory: true },
] as const

/**
 * Measures the cost of the click history: the CPU time of clicks in one process, in turn with and without the history. Two
 * processes would differ by more than the history costs, because V8 optimizes each process differently.
 */
export async function history({ full }: Effort): Promise<Section> {
  const turns = full ? { rounds: 7, count: 4000, warmUp: 5000 } : { rounds: 2, count: 1000, warmUp: 1000 }
  const file = await compile('history')
  leaveProcessor()
  return {
    title: 'The click history',
    method:
      'POST add-product in StorePort over HTTP, with 16 keep-alive connections. CPU time of the server process and of the database. ' +
      `${turns.rounds} rounds of ${turns.count} clicks of each variant, after ${turns.warmUp} to warm up. All variants run in ` +
      'the same process and the same database. Each measurement ends after all records are written.',
    columns: ['database', 'variant', 'µs of CPU', 'speed, without history = 1'],
    rows: await onEach(full, (database) => historyOn(database, file, turns)),
  }
}

async function historyOn(
  database: BenchDatabase,
  file: string,
  turns: { readonly rounds: number; readonly count: number; readonly warmUp: number },
): Promise<string[][]> {
  const clicks = variants.length * turns.rounds * (turns.count + turns.warmUp) + filling
  const { url, take } = await openShop(database, clicks)
  const request = post('upsells/add-product', {})
  const startServer = () => startProcess(file, { BENCH_DATABASE: url }, true)

  /** Sends clicks to a process and returns their mean CPU time, in microseconds. */
  async function measure(child: BenchProcess, load: Load, count: number): Promise<number> {
    const bodies = take(count).values()
    const cpu = async () => (await child.order('cpu')) + (await database.cpuElsewhere())
    const before = await cpu()
    await load.send(count, () => ({ ...request, body: bodies.next().value ?? '' }))
    return ((await cpu()) - before) / count
  }

  const filler = await startServer()
  const load = await openLoad(filler.port)
  await measure(filler, load, filling)
  load.close()
  await filler.end()
  await database.settle(url)

  const processes: Promise<BenchProcess>[] = []
  const sides = variants.map(({ name, withHistory }) => ({
    name,
    start: async (round: number): Promise<Timed> => {
      const child = await (processes[round] ??= startServer())
      const own = await openLoad(withHistory ? await child.order('port') : child.port)
      return {
        measure: (_work, count) => measure(child, own, count),
        end: async () => {
          own.close()
          await child.end()
        },
      }
    },
  }))
  const measured = await takeTurns({ ...turns, sides, works: ['click'], lots: turns.count / batch })
  return rowsOf(database, measured)
}
