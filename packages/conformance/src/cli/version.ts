import manifest from '../../package.json' with { type: 'json' }

/** Name and version of the kit. */
export const kit: string = `${manifest.name} ${manifest.version}`

/** The version of the kit. */
export const version: string = manifest.version
