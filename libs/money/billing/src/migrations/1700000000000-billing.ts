import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Billing1700000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE SEQUENCE billing.arrivals');
    await runner.query(`
      CREATE TABLE billing.events (
        id text NOT NULL,
        type text NOT NULL,
        created timestamptz NOT NULL,
        arrival bigint NOT NULL,
        customer text,
        payload json NOT NULL,
        correlation_id text,
        received_at timestamptz NOT NULL DEFAULT now(),
        settled_at timestamptz,
        CONSTRAINT events_pkey PRIMARY KEY (id)
      )`);
    await runner.query('CREATE INDEX events_settled_at ON billing.events (settled_at)');
    await runner.query('CREATE INDEX events_unsettled ON billing.events (arrival) WHERE settled_at IS NULL');
    await runner.query(`
      CREATE TABLE billing.payers (
        customer text NOT NULL,
        organization_id uuid NOT NULL,
        workspace_id uuid NOT NULL,
        paid text,
        CONSTRAINT payers_pkey PRIMARY KEY (customer)
      )`);
    await runner.query(`
      CREATE TABLE billing.subscriptions (
        customer text NOT NULL,
        subscription_id text NOT NULL,
        organization_id uuid NOT NULL,
        workspace_id uuid NOT NULL,
        status text NOT NULL,
        plan text NOT NULL,
        current_period_end timestamptz,
        cancel_at_period_end boolean NOT NULL DEFAULT false,
        began text NOT NULL,
        newest text NOT NULL,
        deleted text,
        planned text,
        activated text,
        paused text,
        resumed text,
        CONSTRAINT subscriptions_pkey PRIMARY KEY (customer, subscription_id)
      )`);
    await runner.query('CREATE INDEX subscriptions_workspace ON billing.subscriptions (workspace_id)');
    await runner.query(`
      CREATE TABLE billing.payment_failures (
        event_id text NOT NULL,
        customer text NOT NULL,
        invoice_id text NOT NULL,
        subscription_id text,
        moment text NOT NULL,
        CONSTRAINT payment_failures_pkey PRIMARY KEY (event_id)
      )`);
    await runner.query('CREATE INDEX payment_failures_customer ON billing.payment_failures (customer)');
    await runner.query(`
      CREATE TABLE billing.invoices (
        id text NOT NULL,
        organization_id uuid NOT NULL,
        workspace_id uuid NOT NULL,
        customer text NOT NULL,
        number text,
        status text NOT NULL,
        currency text NOT NULL,
        amount_due bigint NOT NULL,
        amount_paid bigint NOT NULL,
        subtotal bigint NOT NULL,
        tax bigint,
        total bigint NOT NULL,
        customer_name text,
        customer_email text,
        customer_address text[] NOT NULL,
        lines json NOT NULL,
        hosted_url text,
        created_at timestamptz NOT NULL,
        paid_at timestamptz,
        newest text NOT NULL,
        CONSTRAINT invoices_pkey PRIMARY KEY (id),
        CONSTRAINT invoices_status_check CHECK (status IN ('failed', 'paid'))
      )`);
    await runner.query('CREATE INDEX invoices_workspace ON billing.invoices (workspace_id, created_at, id)');
    await runner.query(`
      CREATE TABLE billing.dunnings (
        customer text NOT NULL,
        organization_id uuid NOT NULL,
        workspace_id uuid NOT NULL,
        first_failure_at timestamptz NOT NULL,
        steps_taken smallint NOT NULL DEFAULT 0,
        next_step_at timestamptz,
        locked_at timestamptz,
        ended_at timestamptz,
        correlation_id text,
        CONSTRAINT dunnings_pkey PRIMARY KEY (customer)
      )`);
    await runner.query(
      'CREATE INDEX dunnings_next_step_at ON billing.dunnings (next_step_at) WHERE next_step_at IS NOT NULL',
    );
    await runner.query('CREATE INDEX dunnings_workspace ON billing.dunnings (workspace_id)');
    await runner.query(`
      CREATE TABLE billing.receipts (
        invoice_id text NOT NULL,
        organization_id uuid NOT NULL,
        workspace_id uuid NOT NULL,
        filename text NOT NULL,
        pdf bytea NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT receipts_pkey PRIMARY KEY (invoice_id)
      )`);
    await runner.query(`
      CREATE TABLE billing.credit_packages (
        key text NOT NULL,
        credit_type text NOT NULL,
        credits bigint NOT NULL,
        amount bigint NOT NULL,
        currency text NOT NULL,
        CONSTRAINT credit_packages_pkey PRIMARY KEY (key)
      )`);
    await runner.query(`
      CREATE TABLE billing.purchases (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        workspace_id uuid NOT NULL,
        status text NOT NULL,
        package text NOT NULL,
        quantity integer NOT NULL,
        credit_type text NOT NULL,
        credits bigint NOT NULL,
        amount bigint NOT NULL,
        currency text NOT NULL,
        checkout_id text,
        checkout_url text,
        payment_id text,
        amount_refunded bigint NOT NULL DEFAULT 0,
        credits_refunded bigint NOT NULL DEFAULT 0,
        credits_not_recovered bigint NOT NULL DEFAULT 0,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        paid_at timestamptz,
        CONSTRAINT purchases_pkey PRIMARY KEY (id),
        CONSTRAINT purchases_status_check CHECK (status IN ('pending', 'paid', 'expired', 'refunded'))
      )`);
    await runner.query('CREATE INDEX purchases_organization ON billing.purchases (organization_id, id)');
    await runner.query(
      'CREATE UNIQUE INDEX purchases_payment ON billing.purchases (payment_id) WHERE payment_id IS NOT NULL',
    );
    // Refunds by payment: one may be reported before its payment.
    await runner.query(`
      CREATE TABLE billing.refunds (
        payment_id text NOT NULL,
        amount_refunded bigint NOT NULL,
        CONSTRAINT refunds_pkey PRIMARY KEY (payment_id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of [
      'refunds',
      'purchases',
      'credit_packages',
      'receipts',
      'dunnings',
      'invoices',
      'payment_failures',
      'subscriptions',
      'payers',
      'events',
    ]) {
      await runner.query(`DROP TABLE billing.${table}`);
    }
    await runner.query('DROP SEQUENCE billing.arrivals');
  }
}
