import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The single jobs of the workers wait in queues of their own. */
export class SingleJobs1700000000503 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `INSERT INTO messaging.job_queues (queue) VALUES ('sms-api.send-single'), ('email-api.send-single')`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `UPDATE messaging.outbox SET queue = replace(queue, '-single', ''), job_queue = replace(job_queue, '-single', '')
       WHERE job_queue IN ('sms-api.send-single', 'email-api.send-single')`,
    );
    await runner.query(
      `DELETE FROM messaging.job_queues WHERE queue IN ('sms-api.send-single', 'email-api.send-single')`,
    );
  }
}
