import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Which events of a mail are tracked. */
export interface Tracking {
  opens: boolean;
  clicks: boolean;
}

/** Whether opens and clicks are tracked for a workspace or a key; by default they are. */
@Entity({ schema: 'email', name: 'tracking_settings' })
export class TrackingSetting {
  /** Id of a workspace or a key. */
  @PrimaryColumn('uuid', { name: 'subject_id', primaryKeyConstraintName: 'tracking_settings_pkey' })
  subjectId: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('boolean')
  opens: boolean;

  @Column('boolean')
  clicks: boolean;
}
