import { defineConfig } from 'prisma/config'

// `setup.ts` creates the tables with SQL, so Prisma has no migrations.
export default defineConfig({ schema: 'schema.prisma' })
