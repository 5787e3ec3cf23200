import manifest from '../package.json' with { type: 'json' }

/** The version of this package, which every package of StorePort shares. */
export const version: string = manifest.version
