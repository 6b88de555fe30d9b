-- works with 0055
-- The subject first: no plan that was kept from the time when the inbox was small reads an organization's whole inbox to find one
-- notice by its id.

-- online
create index concurrently rail_notices_by_subject on rail_notices (subject_id, organization_id);
drop index concurrently rail_notices_of_subject;
