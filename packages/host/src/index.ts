export { type HostKeys } from './settings/secrets.ts'
export { readSettings, type Settings } from './settings/settings.ts'
export { SettingsError } from '@storeport/node'
export { type HostParts, type RunningHost, startHost } from './start-host.ts'
