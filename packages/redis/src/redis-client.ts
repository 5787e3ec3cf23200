/** What is asked of a client: `Redis` and `Cluster` of ioredis 5 and 6 have it. */
export interface RedisClient {
  /** Sends one command; a cluster finds its node by the keys. */
  call(command: string, ...args: (string | number)[]): Promise<unknown>
  /** The nodes of a cluster; a single server has none. */
  nodes?(role: 'master'): readonly RedisClient[]
}
