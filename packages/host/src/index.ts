export { type HostKeys } from './settings/open-keys.ts'
export { productImage } from './routes/product-image.ts'
export { readSettings, type Settings, SettingsError } from './settings/settings.ts'
export { type HostParts, type RunningHost, startHost } from './start-host.ts'
