import type { Columns } from './column-types.ts'

/**
 * One document for each customer and each named click, instead of a row for each click. Clicks from before are not taken over: a
 * repeat that crosses the upgrade counts as a new click.
 */
export function clickDocuments({ key, instant, end }: Columns): readonly string[] {
  return [
    `drop table clicks`,
    `create table clicks (
      ${key('id')} primary key,
      ${key('version')} not null,
      document text not null,
      ${instant('expires_at')} not null
    ) ${end}`,
    `create index clicks_by_expiry on clicks (expires_at)`,
    // How old the ledger is: a database that was made or upgraded with it has forgotten nothing since.
    `insert into clicks values ('storeport-age', '0', '{"v":1,"since":0}', 9007199254740991)`,
  ]
}
