export { type HostKeys } from './api-keys.ts'
export { productImage } from './product-image.ts'
export { readSettings, type Settings, SettingsError } from './settings.ts'
export { type HostParts, type RunningHost, startHost } from './start-host.ts'
