-- Tables of an existing shop, with sample data.
create table if not exists client (id integer primary key, mail text not null unique);
create table if not exists article (
  sku text primary key, name text not null, cents integer not null, photo text not null, stock integer not null
);
create table if not exists box (
  id integer primary key, client_id integer not null references client, ships_on text not null, freight_cents integer not null
);
create table if not exists box_line (
  id integer primary key, box_id integer not null references box, sku text not null references article,
  units integer not null, once integer not null, unique (box_id, sku, once)
);

insert or ignore into client values (1, 'reader@example.com'), (2, 'writer@example.com'), (3, 'guest@example.com');
insert or ignore into article values
  ('oolong', 'Oolong, 100 g', 1250, 'https://shop.example/oolong.jpg', 40),
  ('sencha', 'Sencha, 100 g', 1495, 'https://shop.example/sencha.jpg', 12),
  ('teapot', 'Teapot of clay', 3900, 'https://shop.example/teapot.jpg', 3),
  ('matcha', 'Matcha, 30 g', 2200, 'https://shop.example/matcha.jpg', 0);
insert or ignore into box values (1, 1, date('now', '+9 days'), 490), (2, 1, date('now', '+23 days'), 0), (3, 2, date('now', '+5 days'), 490);
insert or ignore into box_line values (1, 1, 'oolong', 2, 0), (2, 2, 'sencha', 1, 0), (3, 3, 'sencha', 1, 0);
