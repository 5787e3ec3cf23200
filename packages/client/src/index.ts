export { createClient } from './create-client.ts'
export type { CallOptions, Client, ClientInput, ClientOutput } from './client.ts'
export type { ClientOptions, Fetch } from './client-options.ts'
