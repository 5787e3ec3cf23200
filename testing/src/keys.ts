/** API keys that every mount in these tests accepts. Two keys are valid, as during a key rotation. */
export const keys = { first: 'a-key-of-the-tests-0001', second: 'a-key-of-the-tests-0002' } as const
