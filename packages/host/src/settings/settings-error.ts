/** Something that the person who starts the host can fix; its message says how. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}

/** Throws a failure to listen as one that the person who starts the host can fix. */
export function throwSettingsError(error: unknown): never {
  throw new SettingsError(error instanceof Error ? error.message : 'the server could not listen')
}

/** Makes something out of settings; throws SettingsError where the options of a package are refused with a TypeError. */
export function makeFromSettings<Value>(make: () => Value): Value {
  try {
    return make()
  } catch (error) {
    if (error instanceof TypeError) throw new SettingsError(error.message)
    throw error
  }
}
