import { noMariadb, startMariadb } from '@storeport/testing/start-mariadb'
import { access, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

// A MariaDB server removes all files with this prefix from its temporary folder when it starts.
it.skipIf(noMariadb)('preserves the temporary tables of other MariaDB servers', async () => {
  const table = join(tmpdir(), '#sql-temptable-of-another-server.MAI')
  await writeFile(table, '')
  const server = await startMariadb()
  onTestFinished(() => server.stop())
  await expect(access(table)).resolves.toBeUndefined()
})
