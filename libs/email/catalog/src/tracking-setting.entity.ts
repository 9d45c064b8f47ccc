import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What is followed in a mail. */
export interface Tracking {
  opens: boolean;
  clicks: boolean;
}

/** Whether opens and clicks are followed in what a workspace or a key sends. Without a row: they are. */
@Entity({ schema: 'email', name: 'tracking_settings' })
export class TrackingSetting {
  /** A workspace's or a key's id. */
  @PrimaryColumn('uuid', { name: 'subject_id', primaryKeyConstraintName: 'tracking_settings_pkey' })
  subjectId: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('boolean')
  opens: boolean;

  @Column('boolean')
  clicks: boolean;
}
