PRAGMA application_id = 1111715693;
PRAGMA user_version = 1;
PRAGMA auto_vacuum = INCREMENTAL;
BEGIN TRANSACTION;
CREATE TABLE events (
    number INTEGER PRIMARY KEY, game INTEGER NOT NULL, at REAL NOT NULL,
    kind TEXT NOT NULL, data TEXT NOT NULL, hash TEXT NOT NULL
);
INSERT INTO "events" VALUES(1,1,1795009893.97,'new','{"record":{"options":{},"setup":{},"moves":[],"game":"six-faces","about":{"players":["Bob","Dora"],"hall":{"pairing":15,"number":0,"of":1}}},"by":"person"}','a00aaee68466d143a1ae51957381364f5d71c59ef2852fde3f5a718684ffa254');
INSERT INTO "events" VALUES(2,0,1795009893.971,'command','{"number":1,"do":"start","who":"Anne","refused":null}','0b2f416259906bf616ec6c17cdd1f8172c66913362af76ac4c282c35910b28e1');
INSERT INTO "events" VALUES(3,1,1795009894.016,'move','{"moves":["a1-a2-e2"],"by":"person"}','7827f0e6881dc250d9f328f5a6ddc6c76c2aea70667cf5556549ad9b5b4131c5');
INSERT INTO "events" VALUES(4,1,1795009894.02,'move','{"moves":["a8-a7-e7"],"by":"person"}','8b060ae50189b1126994b02510d9ad9351ef67fd2e69b1d5e39d103bab2875ed');
INSERT INTO "events" VALUES(5,1,1795009894.03,'move','{"moves":["b1-b2"],"by":"person"}','cc02a11f29006799c4c989e7e7d08fe62ac688d1ecdf7bc03406c80894f2f4ff');
INSERT INTO "events" VALUES(6,1,1795009894.031,'call','{"wanted":true,"by":"person"}','1e621d5899f3ebb6eff742f4ad15ea31fbbd403a4cbcaae88646ded763b52ad7');
CREATE TABLE pictures (number INTEGER PRIMARY KEY REFERENCES events, jpeg BLOB NOT NULL);
CREATE INDEX events_by_game ON events (game);
CREATE TRIGGER events_stay BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END;
CREATE TRIGGER events_stand BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
CREATE TRIGGER pictures_stand BEFORE UPDATE ON pictures BEGIN SELECT RAISE(ABORT, 'pictures are never changed'); END;
COMMIT;
