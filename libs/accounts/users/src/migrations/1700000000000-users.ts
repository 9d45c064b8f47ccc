import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Users1700000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE users.users (
        id uuid NOT NULL,
        email text NOT NULL,
        name text NOT NULL,
        password_hash text NOT NULL,
        totp_secret text,
        pending_totp_secret text,
        last_totp_step bigint NOT NULL DEFAULT 0,
        email_verified_at timestamptz DEFAULT now(),
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT users_pkey PRIMARY KEY (id)
      )`);
    await runner.query('CREATE UNIQUE INDEX users_email ON users.users (email)');
    await runner.query(`
      CREATE TABLE users.recovery_codes (
        user_id uuid NOT NULL,
        hash bytea NOT NULL,
        CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, hash)
      )`);
    await runner.query(`
      CREATE TABLE users.members (
        organization_id uuid NOT NULL,
        user_id uuid NOT NULL,
        role text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT members_pkey PRIMARY KEY (organization_id, user_id),
        CONSTRAINT members_user_fkey FOREIGN KEY (user_id) REFERENCES users.users (id)
      )`);
    await runner.query('CREATE INDEX members_user ON users.members (user_id)');
    await runner.query(`
      CREATE TABLE users.invitations (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        email text NOT NULL,
        role text NOT NULL,
        token_hash bytea NOT NULL,
        invited_by text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        accepted_at timestamptz,
        revoked_at timestamptz,
        CONSTRAINT invitations_pkey PRIMARY KEY (id)
      )`);
    await runner.query('CREATE UNIQUE INDEX invitations_token ON users.invitations (token_hash)');
    await runner.query('CREATE INDEX invitations_organization ON users.invitations (organization_id, id)');
    await runner.query(`
      CREATE TABLE users.sessions (
        id uuid NOT NULL,
        user_id uuid NOT NULL,
        token_hash bytea NOT NULL,
        organization_id uuid,
        workspace_id uuid,
        ip_address text,
        user_agent text,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        revoked_at timestamptz,
        CONSTRAINT sessions_pkey PRIMARY KEY (id),
        CONSTRAINT sessions_user_fkey FOREIGN KEY (user_id) REFERENCES users.users (id)
      )`);
    await runner.query('CREATE UNIQUE INDEX sessions_token ON users.sessions (token_hash)');
    await runner.query('CREATE INDEX sessions_user ON users.sessions (user_id)');
    await runner.query(`
      CREATE TABLE users.devices (
        token_hash bytea NOT NULL,
        user_id uuid NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT devices_pkey PRIMARY KEY (token_hash)
      )`);
    await runner.query('CREATE INDEX devices_user ON users.devices (user_id)');
    await runner.query(`
      CREATE TABLE users.login_failures (
        key text NOT NULL,
        failures integer NOT NULL,
        ends_at timestamptz NOT NULL,
        CONSTRAINT login_failures_pkey PRIMARY KEY (key)
      )`);
    await runner.query(`
      CREATE TABLE users.password_resets (
        token_hash bytea NOT NULL,
        user_id uuid NOT NULL,
        expires_at timestamptz NOT NULL,
        CONSTRAINT password_resets_pkey PRIMARY KEY (token_hash)
      )`);
    await runner.query('CREATE INDEX password_resets_user ON users.password_resets (user_id)');
    await runner.query(`
      CREATE TABLE users.email_verifications (
        token_hash bytea NOT NULL,
        user_id uuid NOT NULL,
        expires_at timestamptz NOT NULL,
        CONSTRAINT email_verifications_pkey PRIMARY KEY (token_hash)
      )`);
    await runner.query('CREATE INDEX email_verifications_user ON users.email_verifications (user_id)');
    // The tokens of a login, all of which become invalid when its session ends.
    await runner.query(`
      CREATE TABLE users.access_tokens (
        token_hash bytea NOT NULL,
        session_id uuid NOT NULL,
        expires_at timestamptz NOT NULL,
        CONSTRAINT access_tokens_pkey PRIMARY KEY (token_hash),
        CONSTRAINT access_tokens_session_fkey FOREIGN KEY (session_id) REFERENCES users.sessions (id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX access_tokens_session ON users.access_tokens (session_id)');
    await runner.query(`
      CREATE TABLE users.refresh_tokens (
        token_hash bytea NOT NULL,
        session_id uuid NOT NULL,
        expires_at timestamptz NOT NULL,
        used_at timestamptz,
        CONSTRAINT refresh_tokens_pkey PRIMARY KEY (token_hash),
        CONSTRAINT refresh_tokens_session_fkey FOREIGN KEY (session_id) REFERENCES users.sessions (id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX refresh_tokens_session ON users.refresh_tokens (session_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of [
      'refresh_tokens',
      'access_tokens',
      'email_verifications',
      'password_resets',
      'login_failures',
      'devices',
      'sessions',
      'invitations',
      'members',
      'recovery_codes',
      'users',
    ]) {
      await runner.query(`DROP TABLE users.${table}`);
    }
  }
}
