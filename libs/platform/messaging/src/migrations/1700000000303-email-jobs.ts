import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The emails of the workers wait in lanes too. */
export class EmailJobs1700000000303 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`INSERT INTO messaging.job_queues (queue) VALUES ('email-api.send')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `UPDATE messaging.outbox SET in_lane = false, job_queue = NULL WHERE job_queue = 'email-api.send'`,
    );
    await runner.query(`DELETE FROM messaging.job_queues WHERE queue = 'email-api.send'`);
  }
}
