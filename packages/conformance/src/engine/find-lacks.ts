import type { CheckContext } from './check-context.ts'
import type { Check } from './check.ts'

/** The places in the profile that a check asks for before its first call and that name nothing; nothing is sent. */
export async function findLacks(check: Check, context: CheckContext): Promise<readonly string[]> {
  const lacks = new Set<string>()
  const stop = () => Promise.reject(new Error('no call is made'))
  const probe: CheckContext = {
    ...context,
    call: stop,
    send: stop,
    connect: stop,
    together: stop,
    need<Value>(value: Value | undefined, where: string): Value {
      if (value !== undefined) return value
      lacks.add(where)
      // oxlint-disable-next-line typescript/consistent-type-assertions -- never used: the first call, or the first use, ends the probe
      return {} as Value
    },
  }
  await check.run(probe).catch(() => {})
  return [...lacks]
}
