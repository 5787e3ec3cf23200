import { SettingsError } from './settings.ts'

/** Turns a failure to listen into one that the person who starts the host can put right. */
export function asSettingsError(error: unknown): never {
  throw new SettingsError(error instanceof Error ? error.message : 'the server could not listen')
}

/** Makes something out of settings: a TypeError about options is one about settings. */
export function orSettingsError<Value>(make: () => Value): Value {
  try {
    return make()
  } catch (error) {
    if (error instanceof TypeError) throw new SettingsError(error.message)
    throw error
  }
}
