import type { MigrationInterface, QueryRunner } from 'typeorm';

export class DeviceLogins1700000000801 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE auth.device_logins (
        id uuid NOT NULL,
        device_code_hash bytea NOT NULL,
        user_code text NOT NULL,
        state text NOT NULL,
        name text NOT NULL,
        mode text NOT NULL,
        scopes text[] NOT NULL,
        ip_address text,
        organization_id uuid,
        api_key_id uuid,
        interval_seconds smallint NOT NULL,
        polled_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        CONSTRAINT device_logins_pkey PRIMARY KEY (id)
      )`);
    await runner.query('CREATE UNIQUE INDEX device_logins_device_code ON auth.device_logins (device_code_hash)');
    await runner.query('CREATE UNIQUE INDEX device_logins_user_code ON auth.device_logins (user_code)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE auth.device_logins');
  }
}
