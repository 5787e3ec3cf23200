/** Calls `count` with the first argument after each call of a prototype method. Throws if the method does not exist. */
export function countCalls(prototype: object, name: string, count: (first: unknown) => void): void {
  const method: unknown = Reflect.get(prototype, name)
  if (typeof method !== 'function') throw new Error(`Method ${name} not found.`)
  Reflect.set(prototype, name, function countedMethod(this: unknown, ...values: unknown[]): unknown {
    const result: unknown = Reflect.apply(method, this, values)
    count(values[0])
    return result
  })
}
