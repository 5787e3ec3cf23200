export * from './retries/sql-ledger.ts'
export { type SqlDialect, type SqlResult, type SqlRun, sqlLedgerTable } from './retries/sql-statements.ts'
