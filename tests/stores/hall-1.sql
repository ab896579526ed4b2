BEGIN TRANSACTION;
CREATE TABLE logs (
    log TEXT PRIMARY KEY, place BIGINT NOT NULL, have BIGINT NOT NULL, seal TEXT NOT NULL,
    began DOUBLE PRECISION NOT NULL, last DOUBLE PRECISION NOT NULL, broken BIGINT
);
INSERT INTO "logs" VALUES('98801cf3245ed282d4b019fa7376f4ca060cf8908e47d8ce055eb029396b62cb',3,7,'5964c3f2472c9a08af0e3731c971a9cb0a11504833de95aa792d558991ac113f',1.79500989391139316561e+09,1.79500989402577304835e+09,NULL);
INSERT INTO "logs" VALUES('a00aaee68466d143a1ae51957381364f5d71c59ef2852fde3f5a718684ffa254',4,6,'1e621d5899f3ebb6eff742f4ad15ea31fbbd403a4cbcaae88646ded763b52ad7',1.79500989397632479665e+09,1.79500989403691601749e+09,NULL);
CREATE TABLE commands (
    place BIGINT NOT NULL, number BIGINT NOT NULL, at DOUBLE PRECISION NOT NULL, who TEXT NOT NULL,
    kind TEXT NOT NULL, data TEXT NOT NULL, PRIMARY KEY (place, number)
);
INSERT INTO "commands" VALUES(3,1,1.79500989383120560646e+09,'Anne','start','{"game": "six-faces", "options": {}, "players": ["Ann", "Cem"], "count": 2, "first": "white", "pairing": 14, "number": 0, "of": 1, "clock": null}');
INSERT INTO "commands" VALUES(4,1,1.79500989383232116697e+09,'Anne','start','{"game": "six-faces", "options": {}, "players": ["Bob", "Dora"], "count": 2, "first": "white", "pairing": 15, "number": 0, "of": 1, "clock": null}');
CREATE TABLE deeds (
    number BIGINT PRIMARY KEY, at DOUBLE PRECISION NOT NULL, who TEXT NOT NULL,
    kind TEXT NOT NULL, data TEXT NOT NULL, hash TEXT NOT NULL
);
INSERT INTO "deeds" VALUES(1,1795009893.536,'test','hall','{"name":"Town hall"}','fc22547f1f372251afa26f3b6487bcdd16545ec8ab2d707ba86929bf7e57f4a5');
INSERT INTO "deeds" VALUES(2,1795009893.564,'test','person','{"name":"Anne","role":"arbiter","secret":"4d514bb7f9373a49:416afa4f6192908cfd07622e5a33f0936bcbb137fbd542d422c009bee62099664fa237be391764aba305d3a8b0394283f82ca6e2bf89e5d35af9883abc165126"}','d1c69697f7c6d5455856a691cca33b3dea9a4d19d44ac626b4017f40539affec');
INSERT INTO "deeds" VALUES(3,1795009893.606,'test','person','{"name":"Ray","role":"referee","secret":"f1544a06217c27c6:0e92b1b7d758d34ebb6e416b1d2aa6747082e826a498d65532ce61c73512e19015b510e75dd8be18f3a19cad6dcf07786b151b0bde655806f5c905ce1e5b1a7e"}','564390853f714ea7bd172c71558aa96a084d254df942b1967d32328cc2677dd8');
INSERT INTO "deeds" VALUES(4,1795009893.652,'Anne','table','{"name":"Table 1","key":"8a5485e58b098b38cbe05b6a1eb0c83e457fccdae910a2d9996681807016b0d3"}','3e7e801efbca5b6ddacb6a779c63e3c6aefd3dc7ee0f67a05ce173948bb388ce');
INSERT INTO "deeds" VALUES(5,1795009893.665,'Anne','table','{"name":"Table 2","key":"7137d0d4f9763045038db47d86b789d837df611df266e74bf5cfab73ff7e20d0"}','d64361d7a6663be4ae5c777331c5a788d73877afa53b21812bb930f46ceab1a3');
INSERT INTO "deeds" VALUES(6,1795009893.709,'Anne','tournament','{"name":"Cup","game":"six-faces","system":"swiss","rounds":2,"seats":0,"games":0,"options":null,"clock":null,"tie_breaks":null,"late":0}','44141563bdd0648c9c62e8718e7163ee7d0eacb4df78d642ce10dbf11234b524');
INSERT INTO "deeds" VALUES(7,1795009893.75,'Anne','player','{"name":"Ann","club":"Lyon","rating":2000}','ceec663d3e9d21f76a9883d354dcdcbd5a109b05b0b54e6a825312a7872146ff');
INSERT INTO "deeds" VALUES(8,1795009893.756,'Anne','enter','{"tournament":5,"players":[6],"here":true}','f248fdfb86a697e00f6c068433e6909e05daf2d9cc24e28a2782781b092dde49');
INSERT INTO "deeds" VALUES(9,1795009893.76,'Anne','player','{"name":"Bob","club":"Lyon","rating":1999}','982d56d5df4def74b839256897743c7e978a8a3a2a6c193e4a6f4b321318df0f');
INSERT INTO "deeds" VALUES(10,1795009893.768,'Anne','enter','{"tournament":5,"players":[8],"here":true}','504330173d45cf7d7d124eb1fa3560ba578bb4396d76e2d4cf74bf1615073fc6');
INSERT INTO "deeds" VALUES(11,1795009893.772,'Anne','player','{"name":"Cem","club":"Lyon","rating":1998}','ced2533a349252d1b84aa55052863b44c1e10fbb37ba5670eed2e985e06e2bc2');
INSERT INTO "deeds" VALUES(12,1795009893.788,'Anne','enter','{"tournament":5,"players":[10],"here":true}','09e11583bd644315238ed5987ff90c04e49d6defd3cd310f20e0ef9ed38b05e9');
INSERT INTO "deeds" VALUES(13,1795009893.792,'Anne','player','{"name":"Dora","club":"Lyon","rating":1997}','17facad8ad10c63de49913d3747303494103b38926fd2ece60bf1d0e50946bd1');
INSERT INTO "deeds" VALUES(14,1795009893.796,'Anne','enter','{"tournament":5,"players":[12],"here":true}','d7bdca7287d454c947dda80fa9336991aedf4871f71e7e8d8c8d5e5a5f326b03');
INSERT INTO "deeds" VALUES(15,1795009893.812,'Anne','pair','{"tournament":5,"round":1,"boards":[[7,11],[9,13]],"by_hand":false}','50692637b561b16f136e7ed6f4365bd28995fad41d6efcaa43c40c061b0d1b37');
INSERT INTO "deeds" VALUES(16,1795009893.831,'Anne','publish','{"tournament":5}','250367f05049f06a64de28779ddd0d120d59b09dea88785a8439348c378e3b6a');
INSERT INTO "deeds" VALUES(17,1795009894.126,'Anne','decision','{"table":3,"text":"touched piece must move","do":"note"}','fb3e5892d133bd8787249444ba236757dd99372b5c5a7e1d24407af989d1a014');
CREATE TABLE events (
    log TEXT NOT NULL REFERENCES logs, number BIGINT NOT NULL, game BIGINT NOT NULL, at DOUBLE PRECISION NOT NULL,
    kind TEXT NOT NULL, data TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (log, number)
);
INSERT INTO "events" VALUES('98801cf3245ed282d4b019fa7376f4ca060cf8908e47d8ce055eb029396b62cb',1,1,1795009893.91,'new','{"record":{"options":{},"setup":{},"moves":[],"game":"six-faces","about":{"players":["Ann","Cem"],"hall":{"pairing":14,"number":0,"of":1}}},"by":"person"}','98801cf3245ed282d4b019fa7376f4ca060cf8908e47d8ce055eb029396b62cb');
INSERT INTO "events" VALUES('98801cf3245ed282d4b019fa7376f4ca060cf8908e47d8ce055eb029396b62cb',2,0,1795009893.91,'command','{"number":1,"do":"start","who":"Anne","refused":null}','4218457922df1654b0f2cf3d1a3be03ea6757ed11a753f0f8461338d2fbb7a92');
INSERT INTO "events" VALUES('a00aaee68466d143a1ae51957381364f5d71c59ef2852fde3f5a718684ffa254',1,1,1795009893.97,'new','{"record":{"options":{},"setup":{},"moves":[],"game":"six-faces","about":{"players":["Bob","Dora"],"hall":{"pairing":15,"number":0,"of":1}}},"by":"person"}','a00aaee68466d143a1ae51957381364f5d71c59ef2852fde3f5a718684ffa254');
INSERT INTO "events" VALUES('a00aaee68466d143a1ae51957381364f5d71c59ef2852fde3f5a718684ffa254',2,0,1795009893.971,'command','{"number":1,"do":"start","who":"Anne","refused":null}','0b2f416259906bf616ec6c17cdd1f8172c66913362af76ac4c282c35910b28e1');
INSERT INTO "events" VALUES('98801cf3245ed282d4b019fa7376f4ca060cf8908e47d8ce055eb029396b62cb',3,1,1795009893.989,'move','{"moves":["a1-a2-e2"],"by":"person"}','79bce07c6452d56d82d29b2e8b9bcbbea6c870a4485de73e0553807cd36b9ced');
INSERT INTO "events" VALUES('98801cf3245ed282d4b019fa7376f4ca060cf8908e47d8ce055eb029396b62cb',4,1,1795009894.01,'move','{"moves":["a8-a7-e7"],"by":"person"}','b9c64e1377f1446478623bcabc376bfce3bb0ff3b5f0e0f91a105df9315f7fc6');
INSERT INTO "events" VALUES('98801cf3245ed282d4b019fa7376f4ca060cf8908e47d8ce055eb029396b62cb',5,1,1795009894.011,'move','{"moves":["b1-b2"],"by":"person"}','50c2a415892058f006d2ab6af0c4575eec405199ba489249198827f9a0ff0c6b');
INSERT INTO "events" VALUES('98801cf3245ed282d4b019fa7376f4ca060cf8908e47d8ce055eb029396b62cb',6,1,1795009894.013,'move','{"moves":["e7-f7-f5"],"by":"person"}','9f24b1279ad5e4f6ccc5a66f92a40c242cf65a757529d29d14c4fb1477ad9f32');
INSERT INTO "events" VALUES('a00aaee68466d143a1ae51957381364f5d71c59ef2852fde3f5a718684ffa254',3,1,1795009894.016,'move','{"moves":["a1-a2-e2"],"by":"person"}','7827f0e6881dc250d9f328f5a6ddc6c76c2aea70667cf5556549ad9b5b4131c5');
INSERT INTO "events" VALUES('98801cf3245ed282d4b019fa7376f4ca060cf8908e47d8ce055eb029396b62cb',7,1,1795009894.014,'result','{"winner":"white","why":"resigned","by":"person"}','5964c3f2472c9a08af0e3731c971a9cb0a11504833de95aa792d558991ac113f');
INSERT INTO "events" VALUES('a00aaee68466d143a1ae51957381364f5d71c59ef2852fde3f5a718684ffa254',4,1,1795009894.02,'move','{"moves":["a8-a7-e7"],"by":"person"}','8b060ae50189b1126994b02510d9ad9351ef67fd2e69b1d5e39d103bab2875ed');
INSERT INTO "events" VALUES('a00aaee68466d143a1ae51957381364f5d71c59ef2852fde3f5a718684ffa254',5,1,1795009894.03,'move','{"moves":["b1-b2"],"by":"person"}','cc02a11f29006799c4c989e7e7d08fe62ac688d1ecdf7bc03406c80894f2f4ff');
INSERT INTO "events" VALUES('a00aaee68466d143a1ae51957381364f5d71c59ef2852fde3f5a718684ffa254',6,1,1795009894.031,'call','{"wanted":true,"by":"person"}','1e621d5899f3ebb6eff742f4ad15ea31fbbd403a4cbcaae88646ded763b52ad7');
CREATE TABLE hall (version INTEGER NOT NULL);
INSERT INTO "hall" VALUES(1);
CREATE TABLE heard (
    place BIGINT PRIMARY KEY, at DOUBLE PRECISION NOT NULL
);
INSERT INTO "heard" VALUES(3,1.7950098939012525082e+09);
INSERT INTO "heard" VALUES(4,1.79500989394783639903e+09);
CREATE TABLE pictures (
    log TEXT NOT NULL, number BIGINT NOT NULL, jpeg BYTEA NOT NULL, PRIMARY KEY (log, number)
);
CREATE TABLE refusals (
    log TEXT NOT NULL, number BIGINT NOT NULL, place BIGINT NOT NULL, at DOUBLE PRECISION NOT NULL,
    why TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (log, number, hash)
);
CREATE TABLE wanted (
    log TEXT NOT NULL, number BIGINT NOT NULL, PRIMARY KEY (log, number)
);
COMMIT;
