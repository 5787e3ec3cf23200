/** API keys that every mount in these tests accepts. There are two, as during a key rotation. */
export const keys = { first: 'behaviour-key-0001', second: 'behaviour-key-0002' } as const
