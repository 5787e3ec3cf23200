/** Calls back after each call of a method of a prototype, with the first value that it was given; throws when there is no such method. */
export function countCalls(prototype: object, name: string, count: (first: unknown) => void): void {
  const method: unknown = Reflect.get(prototype, name)
  if (typeof method !== 'function') throw new Error(`there is no method ${name} to count`)
  Reflect.set(prototype, name, function countedMethod(this: unknown, ...values: unknown[]): unknown {
    const result: unknown = Reflect.apply(method, this, values)
    count(values[0])
    return result
  })
}
