/** The compose.yaml of a project with the store `sql`: runs the project with PostgreSQL, whose port is not published. */
export const compose = `services:
  shop:
    build: .
    environment:
      DATABASE_URL: postgres://shop:\${POSTGRES_PASSWORD:?set it in .env}@database/shop
      SEED: \${SEED:-}
      STOREPORT_API_KEY: \${STOREPORT_API_KEY:?set it in .env}
      STOREPORT_API_KEYS: \${STOREPORT_API_KEYS:-}
      STOREPORT_TRUST_PROXY: \${STOREPORT_TRUST_PROXY:-}
      STOREPORT_URL: \${STOREPORT_URL:-}
    ports:
      - 127.0.0.1:3000:3000
    depends_on:
      database:
        condition: service_healthy
    restart: unless-stopped
    stop_grace_period: 20s
  database:
    image: postgres:18
    environment:
      POSTGRES_USER: shop
      POSTGRES_DB: shop
      POSTGRES_PASSWORD: \${POSTGRES_PASSWORD:?set it in .env}
    volumes:
      - database:/var/lib/postgresql
    healthcheck:
      test: [CMD, pg_isready, --username, shop]
      interval: 5s
    restart: unless-stopped
volumes:
  database:
`
