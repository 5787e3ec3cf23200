/** The address of the database that a variant is given. */
export function databaseUrl(): string {
  const url = process.env['BENCH_DATABASE']
  if (url === undefined) throw new Error('BENCH_DATABASE: must be the address of a database')
  return url
}
