import { listening } from '@storeport/testing/listen'

/** Means with which a platform prevents a second effect of a click. */
export type PlatformKind = 'honours' | 'fence' | 'plain'

/** A request of a shop to its platform. `epoch` is the number of fences that the shop knows for the key. */
export interface PlatformCall {
  readonly key: string
  readonly email: string
  readonly change: string
  readonly epoch: number
}

export type Platform = Awaited<ReturnType<typeof startPlatform>>

/** Starts a commerce platform in front of which a shop runs. It keeps its effects in memory. */
export async function startPlatform(kind: PlatformKind) {
  const effects = new Map<string, number>()
  const applied = new Set<string>()
  const epochs = new Map<string, number>()
  const losing = { calls: 0, when: 'before' }

  function apply({ key, email, change, epoch }: PlatformCall): number {
    if (kind === 'honours' && applied.has(key)) return 200
    if (kind === 'fence' && epoch !== (epochs.get(key) ?? 0)) return 409
    applied.add(key)
    const effect = `${email} ${change}`
    effects.set(effect, (effects.get(effect) ?? 0) + 1)
    return 200
  }

  /** Returns -1 if a call with the key has had an effect. Otherwise fences the earlier calls. */
  function reconcile({ key }: PlatformCall): number {
    if (applied.has(key)) return -1
    const epoch = (epochs.get(key) ?? 0) + 1
    epochs.set(key, epoch)
    return epoch
  }

  const { url, stop } = await listening((request, response) => {
    let text = ''
    request.on('data', (data: Buffer) => (text += data.toString()))
    request.on('end', () => {
      if (request.url === '/reconcile') return response.end(String(reconcile(JSON.parse(text))))
      const isLost = losing.calls-- > 0
      const status = isLost && losing.when === 'before' ? 0 : apply(JSON.parse(text))
      return isLost ? request.socket.destroy() : response.writeHead(status).end()
    })
  })
  return {
    url,
    stop,
    count: (email: string, change: string) => effects.get(`${email} ${change}`) ?? 0,
    /** Closes the connections of the next calls without a response, before or after the effect. */
    loseNext: (calls: number, when: 'before' | 'after') => void Object.assign(losing, { calls, when }),
  }
}
