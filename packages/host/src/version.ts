import manifest from '../package.json' with { type: 'json' }

/** The version of the host. */
export const version: string = manifest.version
