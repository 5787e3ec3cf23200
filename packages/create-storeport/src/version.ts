import manifest from '../package.json' with { type: 'json' }

/** Version of this package, shared by all StorePort packages. */
export const version: string = manifest.version
