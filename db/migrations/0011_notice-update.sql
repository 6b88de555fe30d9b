-- What a notice means in our words is called an update everywhere else, too.

alter table rail_notices rename column happening to network_update;
